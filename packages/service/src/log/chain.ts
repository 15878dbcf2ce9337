import { hash } from "node:crypto";
import type { NewBandit } from "./newBandit.js";
import type { StoredEvent } from "./storedEvent.js";

/** 128 bits of SHA-256, in hexadecimal. */
export function digest(text: string): string {
  return hash("sha256", text, "hex").slice(0, 32);
}

/** Where the chain of a log begins: with the bandit as it was created. */
export function genesis({ name, document, version, bits, createdAt }: NewBandit): string {
  return digest(JSON.stringify([name, version, bits, createdAt]) + document);
}

/** The hash of an event: it depends on every event before it, so that one changed digit breaks the chain. */
export function chained(before: string, { seq, kind, decision, segment, at, body }: Omit<StoredEvent, "hash">): string {
  return digest(JSON.stringify([before, seq, kind, decision, segment, at]) + body);
}
