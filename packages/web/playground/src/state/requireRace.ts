import { createDistribution, createPolicy } from "tsallis";
import { MOST, type Race, runOf, worldOf } from "../engine/race.js";

type Delay = NonNullable<Race["world"]["delay"]>;
type Batches = Extract<Delay, { readonly batch: number }>;

const MOST_WAITING = 5_000_000;

/** Refuses, with a sentence, what cannot be played: for races that come from outside, from an address or a form. */
export function requireRace(given: unknown): Race {
  const { world, policies, seeds, rounds, ...rest } = record(given, "the race");
  for (const key of Object.keys(rest)) throw new Error(`unknown key ${JSON.stringify(key)} in the race`);
  const race: Race = {
    world: record(world, "the world") as unknown as Race["world"],
    policies: list(policies, "the policies", MOST.policies).map((racer, i) => {
      const { label, spec, ...more } = record(racer, `policy ${i + 1}`);
      if (!(typeof label === "string" && /^[A-Za-z0-9][A-Za-z0-9 ._+=-]{0,63}$/.test(label)) || Object.keys(more).length > 0) {
        throw new Error(`policy ${i + 1} needs a label of letters, digits, spaces and . _ + = -, and a spec`);
      }
      return { label, spec: record(spec, `the spec of ${label}`) as unknown as Race["policies"][number]["spec"] };
    }),
    ...requireLengths({ seeds, rounds }),
  };
  const labels = race.policies.map(({ label }) => label);
  if (new Set(labels).size < labels.length) throw new Error("two policies have the same label");
  requireWorld(race);
  for (const policy of race.policies.keys()) requireRacer(race, policy);
  requireFewWaiting(race);
  return race;
}

/** Refuses a race that is too long, or none. */
export function requireLengths({ seeds, rounds }: { readonly seeds: unknown; readonly rounds: unknown }): Pick<Race, "seeds" | "rounds"> {
  return { seeds: integer(seeds, "the number of seeds", MOST.seeds), rounds: integer(rounds, "the number of rounds", MOST.rounds) };
}

/** Refuses a world that cannot be played for so many rounds. */
export function requireWorld({ world, rounds }: Pick<Race, "world" | "rounds">): void {
  // Before it is created: a billion arms would stop the page.
  requireArms(world.arms);
  const environment = worldOf({ world, rounds });
  const { delay = 0 } = world;
  requireArms(environment.arms);
  // A world that ends before the race does, such as a table of losses, says so.
  environment.mean(rounds, 0);
  if (!isDelay(delay)) throw new Error('delay must be a whole number of rounds, a distribution without negative values, or { "batch": rounds }');
  for (const key of ["rotate", "rescale"]) {
    if (world[key] !== undefined && world[key] !== true) throw new Error(`${key} must be true or absent`);
  }
  if (world.rescale && !(environment.sigma() < Infinity)) throw new Error("rescale needs a finite sigma, and the world promises none");
}

function isDelay(delay: Delay): boolean {
  if (typeof delay === "number") return Number.isSafeInteger(delay) && delay >= 0;
  if (isBatches(delay)) return Object.keys(delay).length === 1 && Number.isSafeInteger(delay.batch) && delay.batch >= 1;
  return createDistribution(delay, "delay.").low >= 0;
}

function isBatches(delay: Exclude<Delay, number>): delay is Batches {
  return "batch" in delay;
}

/** Refuses more losses on their way than the page's memory holds: each run keeps its own until they are learned. */
function requireFewWaiting({ world: { delay = 0 }, policies, seeds, rounds }: Race): void {
  // Of a distribution half are as late as its median, or later. What comes after the last round is not kept.
  const late = typeof delay === "number" ? delay : isBatches(delay) ? delay.batch / 2 : createDistribution(delay).quantile(0.5) / 2;
  const waiting = Math.max(0, Math.min(late, rounds - late)) * policies.length * seeds;
  if (waiting > MOST_WAITING) throw new Error("so long a delay needs fewer seeds, policies or rounds: too many losses would be on their way at once");
}

function requireArms(arms: unknown): void {
  if (typeof arms === "number" && arms > MOST.arms) throw new Error(`the world has ${arms} arms, and here are at most ${MOST.arms}`);
}

/** Refuses a policy that cannot be played in the world. */
export function requireRacer(race: Race, policy: number): void {
  const world = worldOf(race);
  createPolicy(runOf(race, { policy, seed: 1 }, world).policy, world.arms);
}

function record(value: unknown, name: string): Record<string, unknown> {
  if (typeof value === "object" && value !== null && !Array.isArray(value)) return value as Record<string, unknown>;
  throw new Error(`${name} must be an object`);
}

function list(value: unknown, name: string, most: number): unknown[] {
  if (Array.isArray(value) && value.length >= 1 && value.length <= most) return value;
  throw new Error(`${name} must be a list of 1 to ${most}`);
}

function integer(value: unknown, name: string, most: number): number {
  if (Number.isSafeInteger(value) && (value as number) >= 1 && (value as number) <= most) return value as number;
  throw new Error(`${name} must be a whole number from 1 to ${most.toLocaleString("en")}`);
}
