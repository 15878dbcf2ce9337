// Non-regression: these losses may be wrong, but must not drift. They may change only together with a release note that tables of losses have changed.
import { expect, test } from "vitest";
import { createEnvironment } from "../src/environments/createEnvironment.js";
import { ENVIRONMENTS } from "../src/environments/table.js";

const distributions = (...scales: [number, number]) => [
  { distribution: "pareto", shape: 1.7, scale: scales[0] },
  { distribution: "pareto", shape: 1.8, scale: scales[1] },
];

/** Two arms each, with alpha 1.5. */
const OPTIONS: Record<string, object> = {
  stochastic: { arms: distributions(1, 2) },
  "stochastically-constrained": { arms: distributions(1, 2), alternate: distributions(2, 3) },
  switching: { arms: distributions(1, 2), alternate: distributions(2, 1), period: 1 },
  drifting: { arms: distributions(1, 2), alternate: distributions(2, 1), rounds: 3 },
  corrupted: { arms: distributions(1, 2), budget: 1 },
  "scale-bomb": { arms: distributions(1, 2), from: 2, until: 2, factor: 10 },
  waves: { arms: distributions(1, 2), amplitude: 4, period: 7 },
  "changing-tail": { means: [1, 2], shapes: [1.6, 3], period: 1 },
  "lower-bound": { arms: 2, gap: 0.5 },
  minimax: { arms: 2, sigma: 3, horizon: 150 },
  "truncation-violated": { arms: 2, shape: 1.7, scale: 1, gap: 0.5 },
};

// replay has no randomness.
test.each(Object.keys(ENVIRONMENTS).filter((name) => name !== "replay"))("%s is here", (name) => {
  expect(OPTIONS, `packages/core/test/environments.noreg.test.ts: add ${name} to OPTIONS`).toHaveProperty([name]);
});

/** Rounds 1, 2 and 1,000,000, with seed 7. */
function losses(environment: string): string {
  const made = createEnvironment({ environment, alpha: 1.5, ...OPTIONS[environment] }, 7);
  const all = [1, 2, 1_000_000].flatMap((round) => [made.loss(round, 0), made.loss(round, 1)]);
  return all.map((loss) => (Object.is(loss, -0) ? "-0" : String(loss))).join(" ");
}

test("the losses of every environment", () => {
  expect(Object.fromEntries(Object.keys(OPTIONS).map((name) => [name, losses(name)]))).toMatchInlineSnapshot(`
    {
      "changing-tail": "1.1158844981680711 3.064682109481231 1.3093286533430655 1.3574666284361525 0.7434489569783469 1.6428652875885936",
      "corrupted": "3.3111309010650394 1.0111206861030353 1.250226999379825 24.090429294773713 1.1924326216404806 2.0906492111301893",
      "drifting": "1.0018635060582786 2.953497811049027 3.6379178578016496 1.5367402055747816 24.923319244648262 1.151106548182099",
      "lower-bound": "1 0 1 0 1 1",
      "minimax": "0 3.3345874729594334 3.3345874729594334 0 0 3.3345874729594334",
      "scale-bomb": "1.4400488118810708 3.4408624257279694 18.38025000559986 39.25433900495187 1.1289235790240981 3.4929713136059184",
      "stochastic": "1.8003461509459033 10.054843808620635 1.2898068640040128 4.44940266254662 1.5671547697935362 2.0937483263990337",
      "stochastically-constrained": "6.326583309734964 3.608882750144046 2.414904622637279 3.8177736753168325 4.5229373107232504 3.5853640524744623",
      "switching": "2.7720523086058213 7.337113052571963 7.070078455215851 5.590088129666948 2.3582199850585113 1.6813627106471083",
      "truncation-violated": "2.3650881408416735 3.5036880863736246 3.6860972442378235 3.5353416794910437 3.645652969003792 2.3757209207240324",
      "waves": "1.6077785412108754 2.9553928054570133 4.631504982605794 6.044304706096133 1.171096878200859 3.599560045680102",
    }
  `);
});
