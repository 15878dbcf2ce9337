import { FAILS } from "./fails.js";
import { LATE } from "./late.js";
import { MEANS } from "./means.js";
import { OWN } from "./own.js";
import { PARAMETERS } from "./parameters.js";
import { PROBABILITIES } from "./probabilities.js";
import { RACE_SCENE } from "./race.js";
import { SANDBOX } from "./sandbox.js";
import type { Scene } from "./scene.js";
import { SKIPPING } from "./skipping.js";
import { TWO_WORLDS } from "./twoWorlds.js";
import { YOU } from "./you.js";

/** All scenes, in their order. */
export const SCENES: readonly Scene[] = [RACE_SCENE, MEANS, YOU, PROBABILITIES, SKIPPING, TWO_WORLDS, PARAMETERS, FAILS, LATE, OWN, SANDBOX];
