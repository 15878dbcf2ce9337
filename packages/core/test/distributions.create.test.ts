import { describe, expect, test } from "vitest";
import { bernoulli } from "../src/distributions/bernoulli.js";
import { createDistribution } from "../src/distributions/createDistribution.js";
import { lomax } from "../src/distributions/lomax.js";
import { mixture } from "../src/distributions/mixture.js";
import { negated } from "../src/distributions/negated.js";
import { normal } from "../src/distributions/normal.js";
import { pareto } from "../src/distributions/pareto.js";
import { scaled } from "../src/distributions/scaled.js";
import { shifted } from "../src/distributions/shifted.js";
import { signed } from "../src/distributions/signed.js";
import { studentT } from "../src/distributions/studentT.js";
import { DISTRIBUTIONS } from "../src/distributions/table.js";
import { thinned } from "../src/distributions/thinned.js";
import { uniform } from "../src/distributions/uniform.js";
import { TsallisError } from "../src/errors.js";
import type { Parameter } from "../src/parameters.js";

function errorOf(action: () => unknown): TsallisError {
  try {
    action();
  } catch (error) {
    if (error instanceof TsallisError) return error;
    throw error;
  }
  throw new Error("nothing was thrown");
}

const PARETO_SPEC = { distribution: "pareto", shape: 1.5, scale: 1 };

/** Valid options for every name: numbers in the middle of their range, Pareto distributions inside. */
function validOptions(name: string): Record<string, unknown> {
  if (name === "uniform") return { low: 0, high: 1 };
  const value = (parameter: Parameter): unknown => {
    if (parameter.type === "distribution") return PARETO_SPEC;
    if (parameter.type === "distributions") return [PARETO_SPEC];
    if (parameter.type === "numbers") return [1];
    return parameter.type === "number" && parameter.atMost === 1 ? 0.5 : 1.5;
  };
  return Object.fromEntries(Object.entries(DISTRIBUTIONS[name]!.parameters).map(([key, parameter]) => [key, value(parameter)]));
}

describe("createDistribution refuses bad specs, and says where", () => {
  test.each([
    [undefined, "ERR_PARAMETER", "spec"],
    ["pareto", "ERR_PARAMETER", "spec"],
    [[PARETO_SPEC], "ERR_PARAMETER", "spec"],
    [{}, "ERR_MISSING", "distribution"],
    [{ distribution: "cauchy" }, "ERR_UNKNOWN_NAME", "distribution"],
    [{ distribution: "constructor" }, "ERR_UNKNOWN_NAME", "distribution"],
    [{ distribution: 7 }, "ERR_UNKNOWN_NAME", "distribution"],
    [{ distribution: "signed", p: 0.5 }, "ERR_MISSING", "of"],
    [{ distribution: "signed", p: 0.5, of: 3 }, "ERR_PARAMETER", "of"],
    [{ distribution: "signed", p: 0.5, of: {} }, "ERR_MISSING", "of.distribution"],
    [{ distribution: "signed", p: 0.5, of: { distribution: "pareto", shape: 0, scale: 1 } }, "ERR_PARAMETER", "of.shape"],
    [{ distribution: "scaled", by: 2, of: { distribution: "signed", p: 2, of: PARETO_SPEC } }, "ERR_PARAMETER", "of.p"],
    [{ distribution: "mixture", weights: [1], of: PARETO_SPEC }, "ERR_PARAMETER", "of"],
    [{ distribution: "mixture", weights: [0.5, 0.5], of: [PARETO_SPEC, { distribution: "pareto", shape: 1.5 }] }, "ERR_MISSING", "of[1].scale"],
    [{ distribution: "mixture", weights: [0.5, 0.5], of: [PARETO_SPEC, { ...PARETO_SPEC, skale: 1 }] }, "ERR_UNKNOWN_KEY", "of[1].skale"],
  ])("%j", (spec, code, parameter) => {
    expect(errorOf(() => createDistribution(spec))).toMatchObject({ code, parameter });
  });

  test("the path of the caller goes first", () => {
    const spec = { distribution: "shifted", by: 1, of: { distribution: "lomax", shape: -1, scale: 1 } };
    const error = errorOf(() => createDistribution(spec, "arms[2]."));
    expect(error).toMatchObject({ code: "ERR_PARAMETER", parameter: "arms[2].of.shape", value: -1 });
    expect(error.message).toBe("arms[2].of.shape must be in [0.1, 1000], got -1");
  });

  test("an unknown name comes with the known ones", () => {
    const { message } = errorOf(() => createDistribution({ distribution: "cauchy" }));
    for (const name of Object.keys(DISTRIBUTIONS)) expect(message).toContain(name);
  });

  test("distributions inside a spec may be objects already", () => {
    const inner = lomax({ shape: 1.5, scale: 2 });
    expect(createDistribution({ distribution: "negated", of: inner }).spec).toEqual({ distribution: "negated", of: inner.spec });
  });
});

describe.each(Object.entries(DISTRIBUTIONS))("the parameters of %s", (name, { parameters, description }) => {
  const spec = { distribution: name, ...validOptions(name) };

  test("it has a description, and so has every parameter", () => {
    for (const text of [description, ...Object.values(parameters).map((parameter) => parameter.description)]) expect(text).toMatch(/^[^.]{3,}$/);
  });

  test("a complete spec is accepted, another key is not", () => {
    expect(createDistribution(spec).spec).toEqual(spec);
    expect(errorOf(() => createDistribution({ ...spec, mu: 1 }))).toMatchObject({ code: "ERR_UNKNOWN_KEY", parameter: "mu" });
  });

  for (const [key, parameter] of Object.entries(parameters)) {
    test(`${key} is required, and checked`, () => {
      expect(errorOf(() => createDistribution({ ...spec, [key]: undefined }))).toMatchObject({ code: "ERR_MISSING", parameter: key });
      const wrong: unknown[] = [Number.NaN, Infinity, "1", null, true];
      if (parameter.type === "number") {
        if (parameter.above !== undefined) wrong.push(parameter.above);
        if (parameter.atLeast !== undefined) wrong.push(parameter.atLeast < 0 ? 2 * parameter.atLeast : parameter.atLeast - 0.001);
        if (parameter.atMost !== undefined) wrong.push(1.001 * parameter.atMost);
      }
      for (const value of wrong) {
        expect(
          errorOf(() => createDistribution({ ...spec, [key]: value })),
          String(value),
        ).toMatchObject({ code: "ERR_PARAMETER", parameter: key });
      }
    });
  }
});

describe("what the factories refuse on their own", () => {
  const heavy = pareto({ shape: 0.9, scale: 1 });

  test("uniform: high must be above low", () => {
    expect(errorOf(() => uniform({ low: 1, high: 1 }))).toMatchObject({ code: "ERR_PARAMETER", parameter: "high", value: 1 });
  });

  test("signed: sizes are never negative and have a mean", () => {
    expect(errorOf(() => signed({ p: 0.5, of: normal({ mean: 100, deviation: 1 }) }))).toMatchObject({ code: "ERR_PARAMETER", parameter: "of" });
    expect(errorOf(() => signed({ p: 0.5, of: heavy })).message).toContain("finite mean");
    expect(signed({ p: 0.5, of: shifted({ by: -1, of: pareto({ shape: 1.5, scale: 1 }) }) }).mean).toBe(0);
  });

  test.each([
    [{ distribution: "student-t", dof: 1e15, scale: 1 }, "dof", "in (1, 1000]"],
    [{ distribution: "lomax", shape: 1e10, scale: 1 }, "shape", "in [0.1, 1000]"],
    [{ distribution: "lomax", shape: 2, scale: 1e101 }, "scale", "in [1e-100, 1e+100]"],
    [{ distribution: "frechet", shape: 1e-4, scale: 1 }, "shape", "in [0.1, 1000]"],
    [{ distribution: "weibull", shape: 0.005, scale: 1 }, "shape", "in [0.2, 1000]"],
    [{ distribution: "log-normal", location: 0, scale: 40 }, "scale", "in [0.01, 10]"],
    [{ distribution: "burr", c: 21, k: 1, scale: 1 }, "c", "in [0.2, 20]"],
    [{ distribution: "stable", index: 1.01, skew: 0, scale: 1 }, "index", "in [1.05, 2]"],
    [{ distribution: "constant", value: 1e301 }, "value", "in [-1e+300, 1e+300]"],
  ])("%j lies where nothing is tested", (spec, parameter, range) => {
    const error = errorOf(() => createDistribution(spec));
    expect(error).toMatchObject({ code: "ERR_PARAMETER", parameter });
    expect(error.message).toContain(`${parameter} must be ${range}, got`);
  });

  test("student-t: dof must leave a mean", () => {
    expect(errorOf(() => studentT({ dof: 1, scale: 1 }))).toMatchObject({ code: "ERR_PARAMETER", parameter: "dof", value: 1 });
  });

  test("mixture: as many weights as distributions, with the sum 1, and one mean", () => {
    const of = [bernoulli({ p: 0.5 }), bernoulli({ p: 0.25 })];
    for (const weights of [[1], [0.5, 0.3, 0.2], [0.5, 0.500000002], [0.5, 0.499999998]]) {
      expect(
        errorOf(() => mixture({ weights, of })),
        String(weights),
      ).toMatchObject({ code: "ERR_PARAMETER", parameter: "weights" });
    }
    expect(mixture({ weights: [0.5, 0.4999999995], of }).cdf(1)).toBe(1);
    expect(errorOf(() => mixture({ weights: [0.5, 0.5], of: [heavy, negated({ of: heavy })] }))).toMatchObject({ parameter: "of" });
  });

  test("combinators take distributions of this library only", () => {
    const { momentAbout: _, ...incomplete } = bernoulli({ p: 0.5 });
    const foreign = incomplete as never;
    for (const make of [
      () => shifted({ by: 1, of: foreign }),
      () => scaled({ by: 1, of: foreign }),
      () => negated({ of: foreign }),
      () => signed({ p: 1, of: foreign }),
      () => thinned({ q: 1, of: foreign }),
    ]) {
      expect(errorOf(make)).toMatchObject({ code: "ERR_PARAMETER", parameter: "of" });
    }
    expect(errorOf(() => mixture({ weights: [1], of: [foreign] }))).toMatchObject({ code: "ERR_PARAMETER", parameter: "of[0]" });
    const error = errorOf(() => createDistribution({ distribution: "negated", of: foreign }));
    expect(error).toMatchObject({ code: "ERR_PARAMETER", parameter: "of" });
    expect(error.message).toContain("made by this library");
  });

  test("arguments of the functions of a distribution", () => {
    const distribution = pareto({ shape: 1.5, scale: 1 });
    for (const p of [0, 1, -0.1, 1.1, Number.NaN])
      expect(errorOf(() => distribution.quantile(p))).toMatchObject({ code: "ERR_PARAMETER", parameter: "p" });
    for (const order of [-1, Number.NaN, Infinity]) {
      expect(errorOf(() => distribution.absoluteMoment(order))).toMatchObject({ code: "ERR_PARAMETER", parameter: "order" });
      expect(errorOf(() => distribution.momentAbout(1, order))).toMatchObject({ code: "ERR_PARAMETER", parameter: "order" });
    }
    expect(errorOf(() => distribution.momentAbout(Infinity, 1))).toMatchObject({ code: "ERR_PARAMETER", parameter: "centre" });
    for (const radius of [-1, Number.NaN]) expect(errorOf(() => distribution.truncatedMean(radius))).toMatchObject({ parameter: "radius" });
    expect(errorOf(() => distribution.partialMean(Number.NaN, 1))).toMatchObject({ parameter: "low" });
    expect(errorOf(() => distribution.partialMean(0, Number.NaN))).toMatchObject({ parameter: "high" });
    expect(errorOf(() => distribution.cdf(Number.NaN))).toMatchObject({ parameter: "x" });
    expect(errorOf(() => distribution.survival(Number.NaN))).toMatchObject({ parameter: "x" });
  });
});
