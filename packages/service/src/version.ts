import { readFileSync } from "node:fs";
import { BITS } from "tsallis";

const { version } = JSON.parse(readFileSync(new URL("../package.json", import.meta.url), "utf8")) as { version: string };

/** The version of this program; all packages have the same one. */
export const VERSION = version;

/** What this program computes with. */
export const OWN = { version: VERSION, bits: BITS };

/** Whether a version comes after this program's own. */
export function isNewer(other: string): boolean {
  return isBefore(VERSION, other);
}

/** Whether a version comes before another. */
export function isBefore(one: string, other: string): boolean {
  const [ours, theirs] = [one, other].map((text) => text.split(/[.-]/, 3).map(Number)) as [number[], number[]];
  const differs = theirs.findIndex((part, i) => part !== ours[i]);
  return differs >= 0 && theirs[differs]! > ours[differs]!;
}
