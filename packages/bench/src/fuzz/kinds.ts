import type { Environment } from "tsallis";
import { changesEnvironment } from "./changesEnvironment.js";
import { CHANGES, createChangesWorld } from "./changesWorld.js";
import { createRareWorld, rareEnvironment } from "./rareWorld.js";
import { type View, valuesEnvironment } from "./valuesEnvironment.js";
import { createValuesWorld } from "./valuesWorld.js";

/** Kinds of random worlds: arms with random probabilities of a few values, with rare events, or with levels that change. */
export const KINDS = ["values", "rare", "changes"] as const;
export type Kind = (typeof KINDS)[number];

/** The parts of a kind that are also counted separately. */
export const PARTS: Readonly<Record<Kind, readonly string[]>> = {
  values: [],
  rare: ["won by rare gains", "others"],
  changes: CHANGES,
};

export interface World {
  readonly environment: Environment;
  /** The part of its kind that it belongs to, if there are any. */
  readonly part?: string;
}

/** The world of a kind with this number, in a view that only worlds of values have. */
export function createWorld(kind: Kind, number: number, view: View): World {
  switch (kind) {
    case "values":
      return { environment: valuesEnvironment(createValuesWorld(number), view) };
    case "rare": {
      const world = createRareWorld(number);
      return { environment: rareEnvironment(world), part: PARTS.rare[world.wonByRareGains ? 0 : 1]! };
    }
    case "changes": {
      const world = createChangesWorld(number);
      return { environment: changesEnvironment(world), part: world.change };
    }
  }
}
