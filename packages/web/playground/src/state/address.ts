import type { Race } from "../engine/race.js";
import type { Handle, Handles } from "./handles.js";
import { requireRace } from "./requireRace.js";

/** What the page shows: a scene, with its handles as they stand, and in the sandbox the race. */
export interface PageState {
  readonly scene: string;
  readonly handles: Handles;
  /** Of the sandbox only. */
  readonly race: Race | null;
}

/** What the address must know of a scene. */
export interface Addressed {
  readonly name: string;
  readonly handles: readonly Handle[];
}

const VERSION = "1.";
const LONGEST = 4_000;

/** The state as the part of an address after #, or null if it is too long to be shared. */
export function addressOf({ scene, handles, race }: PageState): string | null {
  const state = { scene, ...(Object.keys(handles).length > 0 && { handles }), ...(race !== null && { race }) };
  const json = JSON.stringify(state);
  // base64 is never shorter, and a table of losses may be longer than what can be encoded at once.
  if (json.length > LONGEST) return null;
  const text = VERSION + encode(json);
  return text.length > LONGEST ? null : text;
}

/** Reads an address. Throws a sentence about what is wrong with it. */
export function readAddress(text: string, scenes: readonly Addressed[]): PageState {
  if (!text.startsWith(VERSION)) throw new Error("the address is of another version of this page, or damaged");
  if (text.length > LONGEST) throw new Error(`the address is longer than ${LONGEST} characters`);
  const { scene, handles = {}, race = null, ...rest } = parsed(text.slice(VERSION.length));
  if (Object.keys(rest).length > 0) throw new Error("the address says something that this page does not know");
  const found = scenes.find(({ name }) => name === scene);
  if (found === undefined) throw new Error("the address names a scene that this page does not have");
  return { scene: found.name, handles: readHandles(handles, found.handles), race: race === null ? null : requireRace(race) };
}

function readHandles(given: unknown, known: readonly Handle[]): Handles {
  if (typeof given !== "object" || given === null || Array.isArray(given)) throw new Error("the handles of the address are no object");
  const values = given as Record<string, unknown>;
  for (const name of Object.keys(values)) {
    if (!known.some((handle) => handle.name === name)) throw new Error("the address has a handle that its scene does not have");
  }
  return Object.fromEntries(
    known.map(({ name, low, high, initial }) => {
      const value = Object.hasOwn(values, name) ? values[name] : initial;
      if (typeof value === "number" && value >= low && value <= high) return [name, value];
      throw new Error(`the handle ${name} of the address must be a number from ${low} to ${high}`);
    }),
  );
}

function parsed(text: string): Record<string, unknown> {
  try {
    // The experiment that is saved is JSON, which writes -0 as 0.
    const value: unknown = JSON.parse(decode(text), (_, part) => (part === 0 ? 0 : part));
    if (typeof value === "object" && value !== null && !Array.isArray(value)) return value as Record<string, unknown>;
  } catch {}
  throw new Error("the address is damaged");
}

/** base64url of the text in UTF-8. */
function encode(text: string): string {
  const bytes = new TextEncoder().encode(text);
  return btoa(String.fromCharCode(...bytes))
    .replaceAll("+", "-")
    .replaceAll("/", "_")
    .replaceAll("=", "");
}

function decode(text: string): string {
  const bytes = Uint8Array.from(atob(text.replaceAll("-", "+").replaceAll("_", "/")), (character) => character.charCodeAt(0));
  return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
}
