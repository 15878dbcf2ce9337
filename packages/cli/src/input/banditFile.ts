import { readFile } from "node:fs/promises";
import { checkBandit, type NewBandit } from "@tsallis/service";
import { parse } from "yaml";
import { at, Failure, reason, shortened } from "../text/failure.js";

/** A bandit as a file says it: what PUT takes, and its state. */
export interface WantedBandit extends NewBandit {
  readonly state?: "running" | "paused" | "archived";
}

const STATES = ["running", "paused", "archived"];

/** The bandits of a file, by name, each checked as the service would check it. */
export async function readBandits(file: string): Promise<Record<string, WantedBandit>> {
  const document = parsed(await text(file), file);
  if (!isRecord(document) || !isRecord(document.bandits))
    throw new Failure("ERR_DATA", "it needs a key bandits, with a document for each name", file);
  const other = Object.keys(document).find((key) => key !== "bandits");
  if (other !== undefined) throw new Failure("ERR_DATA", `${shortened(other)}: unknown key; all bandits are under bandits`, file);
  for (const [name, bandit] of Object.entries(document.bandits)) {
    const place = `${file}: ${name}`;
    if (!isRecord(bandit)) throw new Failure("ERR_DATA", "a bandit is an object with arms", place);
    const { state, ...rest } = bandit;
    if (state !== undefined && !STATES.includes(state as string)) {
      throw new Failure("ERR_DATA", `state must be one of ${STATES.join(", ")}, got ${shortened(String(state))}`, place);
    }
    try {
      checkBandit(name, rest);
    } catch (error) {
      throw at(place, error);
    }
  }
  return document.bandits as Record<string, WantedBandit>;
}

async function text(file: string): Promise<string> {
  try {
    return await readFile(file, "utf8");
  } catch (error) {
    throw new Failure("ERR_FILE", `cannot be read: ${reason(error)}`, file);
  }
}

function parsed(source: string, file: string): unknown {
  try {
    return parse(source);
  } catch (error) {
    throw new Failure("ERR_DATA", `it is not YAML: ${(error as Error).message.split("\n", 1)[0]}`, file);
  }
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
