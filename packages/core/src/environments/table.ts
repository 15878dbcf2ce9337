import type { Parameters } from "../parameters.js";
import { CHANGING_TAIL, changingTail } from "./changingTail.js";
import { CORRUPTED, corrupted } from "./corrupted.js";
import { DRIFTING, drifting } from "./drifting.js";
import type { Environment } from "./environment.js";
import { LOWER_BOUND, lowerBound } from "./lowerBound.js";
import { MINIMAX, minimax } from "./minimax.js";
import { REPLAY, replay } from "./replay.js";
import { SCALE_BOMB, scaleBomb } from "./scaleBomb.js";
import { STOCHASTIC, stochastic } from "./stochastic.js";
import { STOCHASTICALLY_CONSTRAINED, stochasticallyConstrained } from "./stochasticallyConstrained.js";
import { SWITCHING, switching } from "./switching.js";
import { TRUNCATION_VIOLATED, truncationViolated } from "./truncationViolated.js";
import { WAVES, waves } from "./waves.js";

/** What the table says of an environment, and what `registerEnvironment` takes. */
export interface EnvironmentEntry {
  readonly parameters: Parameters;
  readonly description: string;
  /** Checks the options against `parameters`; distributions inside them are Distribution objects already. `path` is put before each name in messages. */
  create(options: unknown, seed: number, path?: string): Environment;
}

/**
 * Every environment, by the name that specs use. Listings, schemas and the conformance tests read this table.
 *
 * @example
 * ```ts
 * import { ENVIRONMENTS } from "tsallis";
 *
 * console.log(ENVIRONMENTS.switching.description); // two lists of distributions take turns
 * ```
 */
export const ENVIRONMENTS: Readonly<Record<string, EnvironmentEntry>> = {
  stochastic: { parameters: STOCHASTIC, create: stochastic, description: "every arm has one distribution for all rounds" },
  "stochastically-constrained": {
    parameters: STOCHASTICALLY_CONSTRAINED,
    create: stochasticallyConstrained,
    description: "the level of the losses jumps in phases of growing length, while one arm stays best",
  },
  switching: { parameters: SWITCHING, create: switching, description: "two lists of distributions take turns" },
  drifting: { parameters: DRIFTING, create: drifting, description: "the means drift linearly from one list of distributions to another" },
  corrupted: { parameters: CORRUPTED, create: corrupted, description: "the best and the second-best arm change places for a number of rounds" },
  waves: { parameters: WAVES, create: waves, description: "all losses rise and fall together, while the gaps stay" },
  "scale-bomb": { parameters: SCALE_BOMB, create: scaleBomb, description: "all losses are multiplied by a factor in a window of rounds" },
  "changing-tail": { parameters: CHANGING_TAIL, create: changingTail, description: "Pareto losses of constant means whose tail index changes" },
  "lower-bound": { parameters: LOWER_BOUND, create: lowerBound, description: "the two-point losses of the lower bounds, with a hidden best arm" },
  minimax: { parameters: MINIMAX, create: minimax, description: "the two-point losses of the lower bounds at the gap that is hard for a horizon" },
  "truncation-violated": {
    parameters: TRUNCATION_VIOLATED,
    create: truncationViolated,
    description: "a control outside the theory: the best arm's heavy tail points to the left",
  },
  replay: { parameters: REPLAY, create: replay, description: "a recorded table of losses" },
};
