// Non-regression: these losses may be wrong, but must not drift. They may change only together with a release note that tables of losses have changed.
import { expect, test } from "vitest";
import { createEnvironment } from "../src/environments/createEnvironment.js";
import { ENVIRONMENTS } from "../src/environments/table.js";

const laws = (...scales: [number, number]) => [
  { distribution: "pareto", shape: 1.7, scale: scales[0] },
  { distribution: "pareto", shape: 1.8, scale: scales[1] },
];

/** Rounds 1, 2 and 1,000,000 of two arms, seed 7. */
const TABLES: Record<string, [options: object, losses: number[]]> = {
  stochastic: [
    { arms: laws(1, 2) },
    [1.8003461509459033, 10.054843808620635, 1.2898068640040128, 4.44940266254662, 1.5671547697935362, 2.0937483263990337],
  ],
  "stochastically-constrained": [
    { arms: laws(1, 2), alternate: laws(2, 3) },
    [6.326583309734964, 3.608882750144046, 2.414904622637279, 3.8177736753168325, 4.5229373107232504, 3.5853640524744623],
  ],
  switching: [
    { arms: laws(1, 2), alternate: laws(2, 1), period: 1 },
    [2.7720523086058213, 7.337113052571963, 7.070078455215851, 5.590088129666948, 2.3582199850585113, 1.6813627106471083],
  ],
  drifting: [
    { arms: laws(1, 2), alternate: laws(2, 1), rounds: 3 },
    [1.0018635060582786, 2.953497811049027, 3.6379178578016496, 1.5367402055747816, 24.923319244648262, 1.151106548182099],
  ],
  corrupted: [
    { arms: laws(1, 2), budget: 1 },
    [3.3111309010650394, 1.0111206861030353, 1.250226999379825, 24.090429294773713, 1.1924326216404806, 2.0906492111301893],
  ],
  "scale-bomb": [
    { arms: laws(1, 2), from: 2, until: 2, factor: 10 },
    [1.4400488118810708, 3.4408624257279694, 18.38025000559986, 39.25433900495187, 1.1289235790240981, 3.4929713136059184],
  ],
  "changing-tail": [
    { means: [1, 2], shapes: [1.6, 3], period: 1 },
    [1.1158844981680711, 3.064682109481231, 1.3093286533430655, 1.3574666284361525, 0.7434489569783469, 1.6428652875885936],
  ],
  "lower-bound": [{ arms: 2, gap: 0.5 }, [1, 0, 1, 0, 1, 1]],
  minimax: [{ arms: 2, sigma: 3, horizon: 150 }, [0, 3.3345874729594334, 3.3345874729594334, 0, 0, 3.3345874729594334]],
  "truncation-violated": [
    { arms: 2, shape: 1.7, scale: 1, gap: 0.5 },
    [2.3650881408416735, 3.5036880863736246, 3.6860972442378235, 3.5353416794910437, 3.645652969003792, 2.3757209207240324],
  ],
};

// replay has no randomness.
test.each(Object.keys(ENVIRONMENTS).filter((name) => name !== "replay"))("%s is here", (name) => {
  expect(TABLES, `packages/core/test/environments.noreg.test.ts: add ${name} to TABLES`).toHaveProperty([name]);
});

test.each(Object.entries(TABLES))("%s", (environment, [options, losses]) => {
  const made = createEnvironment({ environment, alpha: 1.5, ...options }, 7);
  expect([1, 2, 1_000_000].flatMap((round) => [made.loss(round, 0), made.loss(round, 1)])).toEqual(losses);
});
