import { expect, test } from "vitest";
import { createDistribution } from "../src/distributions/createDistribution.js";
import { DISTRIBUTIONS } from "../src/distributions/table.js";
import { stream } from "../src/random/stream.js";

// Samples are the same bits on every engine, so the hash of 1,000 of them is a constant for each distribution. It says nothing about the distribution
// (that is distributions.long.test.ts); it may change only together with a release note that the samples have changed.

const lomax = { distribution: "lomax", shape: 1.6, scale: 2 };

const SPECS = [
  { distribution: "pareto", shape: 1.5, scale: 1 },
  lomax,
  { distribution: "frechet", shape: 1.5, scale: 1 },
  { distribution: "burr", c: 2, k: 0.8, scale: 1 },
  { distribution: "log-normal", location: 0.5, scale: 1.5 },
  { distribution: "weibull", shape: 0.7, scale: 1 },
  { distribution: "student-t", dof: 1.5, scale: 1 },
  { distribution: "stable", index: 1.5, skew: -0.5, scale: 1 },
  { distribution: "normal", mean: 1, deviation: 2 },
  { distribution: "uniform", low: -1, high: 3 },
  { distribution: "bernoulli", p: 0.3 },
  { distribution: "constant", value: 1.5 },
  { distribution: "two-point", value: 16, probability: 0.1 },
  { distribution: "signed", p: 0.6, of: lomax },
  { distribution: "thinned", q: 0.4, of: lomax },
  { distribution: "shifted", by: -1, of: lomax },
  { distribution: "scaled", by: 3, of: lomax },
  { distribution: "negated", of: lomax },
  { distribution: "mixture", weights: [0.3, 0.7], of: [lomax, { distribution: "normal", mean: 0, deviation: 1 }] },
];

/** FNV-1a over the bytes of the samples, big-endian. */
function hash(spec: { distribution: string }): string {
  const distribution = createDistribution(spec);
  const rng = stream(1, "samples");
  const view = new DataView(new ArrayBuffer(8));
  let digest = 0x811c9dc5;
  for (let i = 0; i < 1000; i++) {
    view.setFloat64(0, distribution.sample(rng));
    for (let byte = 0; byte < 8; byte++) digest = Math.imul(digest ^ view.getUint8(byte), 0x01000193);
  }
  return (digest >>> 0).toString(16).padStart(8, "0");
}

test.each(Object.keys(DISTRIBUTIONS))("%s is here", (name) => {
  expect(
    SPECS.map(({ distribution }) => distribution),
    `packages/core/test/distributions.noreg.test.ts: add ${name} to SPECS`,
  ).toContain(name);
});

test("non-regression: the bits of 1,000 samples of every distribution", () => {
  expect(Object.fromEntries(SPECS.map((spec) => [spec.distribution, hash(spec)]))).toMatchInlineSnapshot(`
    {
      "bernoulli": "d02ffb85",
      "burr": "e332778e",
      "constant": "f1b5c105",
      "frechet": "82d53850",
      "log-normal": "4cc30f1e",
      "lomax": "1ac4521c",
      "mixture": "f6a34dcf",
      "negated": "2497d71c",
      "normal": "c3339ebe",
      "pareto": "5aad09ec",
      "scaled": "808ef8fb",
      "shifted": "77ec36aa",
      "signed": "79c4e887",
      "stable": "f2110c5d",
      "student-t": "5d09660c",
      "thinned": "3132e2fa",
      "two-point": "b0e86d45",
      "uniform": "b031dfeb",
      "weibull": "dc96b9cb",
    }
  `);
});
