// Non-regression: these figures may be wrong, but must not drift. Snapshots that were written before would otherwise go on differently.
import { expect, it } from "vitest";
import { Evaluation } from "../src/evidence/index.js";
import { pareto, stream } from "../src/index.js";

it.each([
  [
    false,
    { low: 0.7657885836918581, high: 1.4972022008528039 },
    { low: -0.6757291090955917, high: 1.020528056066702 },
    { low: 1.5546808220848227, high: 2.2105121180359424 },
    [6.968562668550756, 6.968562668550756, 26.078795724052632],
  ],
  [
    true,
    { low: 0.6566233094651714, high: 2.3541196589183504 },
    { low: -0.6720940754440008, high: 1.0246212607565823 },
    { low: 1.3667645517895792, high: 2.615904309685982 },
    [-0.16920442862848994, -0.16920442862848994, 1.7998614299747016],
  ],
])("the bits of an evaluation; moving: %s", (moving, arm, savings, uniform, evidence) => {
  const rng = stream(1, "bits");
  const distribution = pareto({ shape: 1.6, scale: 0.375 });
  const evaluation = new Evaluation({ arms: 3, cap: 20, holdout: 0.2, moving });
  for (let i = 0; i < 2000; i++) {
    const loss = i % 97 === 0 ? null : distribution.sample(rng) * (1 + (i % 3));
    evaluation.add({ arm: i % 3, loss, holdout: i % 5 === 0 });
  }
  expect([evaluation.arm(0).interval(), evaluation.savings(), evaluation.uniform()]).toEqual([arm, savings, uniform]);
  expect(evaluation.verdict().evidence).toEqual(evidence);
});
