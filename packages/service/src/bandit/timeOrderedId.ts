import { randomUUID } from "node:crypto";

/** A UUID of version 7 (RFC 9562): the first 48 bits are the time, so that neighbours in time are neighbours in the index. */
export function timeOrderedId(): string {
  const time = Date.now().toString(16).padStart(12, "0");
  return `${time.slice(0, 8)}-${time.slice(8)}-7${randomUUID().slice(15)}`;
}
