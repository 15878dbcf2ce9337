import { describe, expect, it } from "vitest";
import { Evaluation, MeanEvidence } from "../src/evidence/index.js";
import { bernoulli, pareto, stream } from "../src/index.js";

describe("evidence at the true mean", () => {
  // If it is a supermartingale from 1, at most 5 % of streams ever reach log 20. Of 400 streams more than 35 do with a probability below 0.001 (binomial); each of
  // the ten counts may raise a false alarm, but the seeds are fixed.
  const STREAMS = 400;
  const MOST = 35;
  const cap = 20;

  it.each([
    ["Pareto 1.2", pareto({ shape: 1.2, scale: 0.2 })],
    ["Pareto 1.6", pareto({ shape: 1.6, scale: 0.375 })],
    ["Bernoulli", bernoulli({ p: 0.3 })],
  ])("%s: ever reaches log(1 / 0.05) in at most 5 %% of streams, on either side", (name, distribution) => {
    // E min(x, cap) of a Pareto distribution, and the mean of a Bernoulli one.
    const { shape, scale, p } = distribution.spec as unknown as { shape: number; scale: number; p?: number };
    const mean = p ?? (scale * (shape - (scale / cap) ** (shape - 1))) / (shape - 1);
    let [below, above] = [0, 0];
    for (let i = 0; i < STREAMS; i++) {
      const evidence = new MeanEvidence({ cap });
      let [most, least] = [0, 0];
      const rng = stream(1, "evidence", name, i);
      for (let n = 0; n < 300; n++) {
        evidence.add(distribution.sample(rng));
        most = Math.max(most, evidence.evidenceBelow(mean));
        least = Math.max(least, evidence.evidenceAbove(mean));
      }
      if (most >= Math.log(20)) below++;
      if (least >= Math.log(20)) above++;
    }
    expect([below <= MOST, above <= MOST]).toEqual([true, true]);
  });

  // Of two equal arms neither may be out in more than 5 % of the logs, however often one looks. The other arm may be played as rarely as here, one time in eight.
  it.each([2, 8])("of two equal arms, the second played once in %i rounds, each is ever out in at most 5 %% of logs", (every) => {
    const distribution = pareto({ shape: 1.6, scale: 0.375 });
    const out = [0, 0];
    for (let i = 0; i < STREAMS; i++) {
      const evaluation = new Evaluation({ arms: 2, cap });
      const rng = stream(1, "evidence", "tie", every, i);
      const ever = new Set<number>();
      for (let n = 0; n < 600; n++) {
        evaluation.add({ arm: n % every === 0 ? 1 : 0, loss: distribution.sample(rng) });
        if (n % 3 > 0) continue;
        const { leader, best } = evaluation.verdict();
        if (best !== null) ever.add(1 - leader!);
      }
      for (const arm of ever) out[arm]!++;
    }
    expect(out.map((count) => count <= MOST)).toEqual([true, true]);
  });
});
