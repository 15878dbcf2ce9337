import type { BanditView, Change } from "@tsallis/service/client";
import type { PlannedBandit } from "../text/planText.js";
import type { WantedBandit } from "./banditFile.js";

const CHANGEABLE = ["windowSeconds", "expired", "holdout", "segments", "cap", "unit"] as const;
const FIXED = ["policy", "seed", "direction"] as const;

/** What a file would change, bandit by bandit: those of the file in its order, then those that only the service has. `views`: what the service has of each, null if nothing. */
export function planOf(
  wanted: Readonly<Record<string, WantedBandit>>,
  views: readonly (BanditView | null)[],
  present: readonly string[],
): PlannedBandit[] {
  const planned = Object.entries(wanted).map(([name, one], i) => (views[i] === null ? created(name, one) : changed(name, one, views[i]!)));
  const others = present.filter((name) => !Object.hasOwn(wanted, name));
  return [...planned, ...others.map((name) => ({ ...NOTHING, name, isWanted: false }))];
}

const NOTHING = { create: null, change: null, revision: null, lines: [], losses: [], isWanted: true };

function created(name: string, { state, ...document }: WantedBandit): PlannedBandit {
  const change = state === undefined || state === "running" ? null : { state };
  const lines = [`arms ${document.arms.join(", ")}`, ...(change === null ? [] : [`state ${state}`])];
  return { ...NOTHING, name, create: document, change, lines };
}

function changed(name: string, wanted: WantedBandit, { document, state, revision }: BanditView): PlannedBandit {
  const change: Record<string, unknown> = {};
  const lines: string[] = [];
  const losses: string[] = [];
  const note = (key: string, from: unknown, to: unknown) => {
    change[key] = to;
    lines.push(`${key} ${JSON.stringify(from)} -> ${JSON.stringify(to)}`);
  };
  for (const key of CHANGEABLE) if (wanted[key] !== undefined && !isSame(wanted[key], document[key])) note(key, document[key], wanted[key]);
  if (!isSame(wanted.arms, document.arms)) note("arms", document.arms, wanted.arms);
  const retired = document.arms.filter((arm) => !wanted.arms.includes(arm));
  if (retired.length > 0) losses.push(`${retired.join(", ")} would be retired: what was learned of an arm is gone with it`);
  if (wanted.state !== undefined && wanted.state !== state) note("state", state, wanted.state);
  if (wanted.state === "archived" && state !== "archived") losses.push("it would be archived, for good");
  for (const key of FIXED) {
    const given = wanted[key];
    if (given === undefined || contains(document[key], given)) continue;
    losses.push(`${key} is ${JSON.stringify(document[key])} and never changes; take another name for ${JSON.stringify(given)}`);
  }
  const isChanged = Object.keys(change).length > 0;
  return { ...NOTHING, name, change: isChanged ? (change as Change) : null, revision: isChanged ? revision : null, lines, losses };
}

function isSame(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

/** A spec of a file may leave out what has a default. */
function contains(whole: unknown, part: unknown): boolean {
  if (typeof part !== "object" || part === null) return isSame(whole, part);
  return Object.entries(part).every(([key, value]) => isSame((whole as Record<string, unknown>)[key], value));
}
