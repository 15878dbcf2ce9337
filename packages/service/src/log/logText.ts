import { ServiceError } from "../serviceError.js";
import type { EventKind } from "./event.js";
import { type NewBandit, type ReadEvent, SLOTS, type StoredEvent } from "./storedEvent.js";

/** A log as text: a line of JSON about the bandit, and a line for each event. */
const FORMAT = 1;

const KINDS: readonly string[] = ["decision", "feedback", "expiry", "late", "change", "version", "erasure", "repair"] satisfies EventKind[];

const HEADER_KEYS: ReadonlySet<string> = new Set(["log", "format", "name", "version", "bits", "createdAt", "after", "before"]);
const EVENT_KEYS: ReadonlySet<string> = new Set(["seq", "kind", "decision", "origin", "segment", "at", "hash"]);

/** The first line. `after` and `before`: the last event that is left out, and its hash. */
export interface LogHeader extends NewBandit {
  readonly after: number;
  readonly before: string;
}

export function headerText({ name, document, version, bits, createdAt }: NewBandit, after: number, before: string): string {
  return withLast(JSON.stringify({ log: "tsallis", format: FORMAT, name, version, bits, createdAt, after, before }), "document", document);
}

export function eventText({ seq, kind, decision, origin, segment, at, body, hash }: StoredEvent): string {
  const given = { ...(decision === null ? {} : { decision }), ...(origin === null ? {} : { origin }), ...(segment === null ? {} : { segment }) };
  return withLast(JSON.stringify({ seq, kind, ...given, at, hash }), "body", body);
}

/** The line of an object with one more key, whose value is JSON already: what was hashed stays as it is, byte for byte. */
function withLast(object: string, key: string, json: string): string {
  return `${object.slice(0, -1)},"${key}":${json}}\n`;
}

/** Whether a line begins a log, and does not go on with one. */
export function isHeader(text: string): boolean {
  return text.startsWith('{"log":');
}

export function readHeader(text: string, line: number): LogHeader {
  const [read, document] = splitLine(text, line, "document");
  if (read.log !== "tsallis") throw new ServiceError("ERR_LOG", `line ${line} is not the first line of a log of tsallis: ${text.slice(0, 60)}`);
  if (read.format !== FORMAT) {
    const message = `line ${line} begins a log of format ${read.format}, and this version reads format ${FORMAT} only; use the version of tsallis that wrote it`;
    throw new ServiceError("ERR_LOG", message);
  }
  requireKnown(read, HEADER_KEYS, line);
  const { name, version, bits, createdAt, after, before } = read as unknown as LogHeader;
  const isWhole =
    [name, version, bits, before].every((text) => typeof text === "string") && Number.isSafeInteger(createdAt) && Number.isSafeInteger(after);
  if (!isWhole) throw malformed(text, line);
  return { name, version, bits, createdAt, after, before, document };
}

/** An event of a log, with the hash of the one before it. */
export function readLine(text: string, line: number, before: string): ReadEvent {
  const [read, body] = splitLine(text, line, "body");
  requireKnown(read, EVENT_KEYS, line);
  const { seq, kind, decision = null, origin = null, segment = null, at, hash } = read as unknown as Omit<StoredEvent, "body">;
  const areTexts = [decision, origin, segment].every((one) => one === null || typeof one === "string");
  if (!(Number.isSafeInteger(seq) && Number.isSafeInteger(at) && KINDS.includes(kind) && typeof hash === "string" && areTexts))
    throw malformed(text, line);
  return { seq, kind, decision, origin, slot: SLOTS[kind], segment, at, hash, body, before };
}

/** No hash covers a key that no line has, and people may read it. */
function requireKnown(read: Record<string, unknown>, keys: ReadonlySet<string>, line: number): void {
  for (const key in read) if (!keys.has(key)) throw new ServiceError("ERR_LOG", `line ${line} has an unknown key: ${key.slice(0, 60)}`);
}

/** The object of a line without one key, and the text of that key's value. Where it stands last, as we write it, it is taken as it stands. */
function splitLine(text: string, line: number, key: string): [rest: Record<string, unknown>, json: string] {
  const mark = `,"${key}":{`;
  // No string in front of it can hold the mark: its quotation marks would have backslashes before them.
  const at = text.indexOf(mark);
  const end = text.trimEnd();
  if (at >= 0 && end.endsWith("}}")) {
    try {
      const json = end.slice(at + mark.length - 1, -1);
      return [JSON.parse(`${text.slice(0, at)}}`) as Record<string, unknown>, json];
    } catch {
      // Somebody has written the keys in another order.
    }
  }
  const { [key]: value, ...rest } = parsed(text, line);
  if (typeof value !== "object" || value === null) throw malformed(text, line);
  return [rest, JSON.stringify(value)];
}

function parsed(text: string, line: number): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === "object" && value !== null) return value as Record<string, unknown>;
  } catch {}
  throw malformed(text, line);
}

function malformed(text: string, line: number): ServiceError {
  return new ServiceError("ERR_LOG", `line ${line} is not a line of a log: ${text.slice(0, 60)}`);
}
