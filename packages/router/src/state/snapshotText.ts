import { createHash } from "node:crypto";
import type { RouterSnapshot } from "./routerSnapshot.js";
import { damaged, object } from "./savedFields.js";

/** The text of a state file: a snapshot with its checksum. */
export function encodeSnapshot(snapshot: RouterSnapshot): string {
  return `${JSON.stringify({ checksum: checksum(snapshot), snapshot })}\n`;
}

/** Reads the snapshot from the text of a state file; throws if a single character has changed. */
export function decodeSnapshot(text: string): unknown {
  let file: unknown;
  try {
    file = JSON.parse(text);
  } catch (error) {
    throw damaged("file", text, `it is not JSON (${(error as Error).message})`);
  }
  const { checksum: stated, snapshot } = object(file, "file");
  if (stated !== checksum(snapshot)) throw damaged("checksum", stated, "its checksum does not match its content");
  return snapshot;
}

function checksum(snapshot: unknown): string {
  return createHash("sha256")
    .update(JSON.stringify(snapshot) ?? "")
    .digest("hex");
}
