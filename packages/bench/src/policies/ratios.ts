import type { Ratio } from "../ratio.js";
import { ALPHAS, type BenchResult, YARDSTICKS } from "./benchPolicies.js";
import { type YardstickWay, yardstickName } from "./yardstick.js";

/** What a round of the default policy may cost, relative to HTINF under its faster kernel. */
const MATCHED = [
  { arms: 10, asked: 2.5 },
  { arms: 48, asked: 3 },
  { arms: 100, asked: 3 },
  { arms: 1000, asked: 4 },
];

/** The ratios that say whether a round costs the same with few arms and with many. Those whose cells were not timed are left out. */
export function ratios(results: readonly BenchResult[]): Ratio[] {
  const all = (kernel: string, arms: number, alpha: number) =>
    results.filter((each) => each.policy === "htinf" && each.kernel === kernel && each.arms === arms && each.alpha === alpha);
  const time = (kernel: string, arms: number, alpha: number) => all(kernel, arms, alpha)[0]?.nsPerRound ?? Number.NaN;
  const inC = (way: YardstickWay, alpha: number) =>
    results.find((each) => each.policy === yardstickName(way) && each.alpha === alpha)?.nsPerRound ?? Number.NaN;
  const best = (arms: number, alpha: number) => Math.min(time("dense", arms, alpha), time("indexed", arms, alpha));
  const bytes = results.flatMap(({ kernel, bytesPerArm }) => (kernel === "indexed" && bytesPerArm !== null ? bytesPerArm : []));
  const found = [
    ...ALPHAS.map((alpha) => ({
      name: `indexed, alpha ${alpha}: K = 1e6 to K = 1,000`,
      asked: "at most 4",
      measured: time("indexed", 1e6, alpha) / time("indexed", 1000, alpha),
    })),
    ...ALPHAS.map((alpha) => ({
      name: `alpha ${alpha}: indexed at K = 1e6 to the best at K = 10`,
      asked: "at most 10",
      measured: time("indexed", 1e6, alpha) / best(10, alpha),
    })),
    ...ALPHAS.map((alpha) => ({
      name: `alpha ${alpha}, K = 1e5: dense to indexed`,
      asked: `at least ${Number.isInteger(alpha / (alpha - 1)) ? "200" : "1,000"}`,
      measured: time("dense", 1e5, alpha) / time("indexed", 1e5, alpha),
    })),
    ...YARDSTICKS.map(({ way, alpha, asked }) => ({
      name: `alpha ${alpha}, K = 10: best kernel to C ${way === "pow" ? "with" : "without"} pow`,
      asked,
      measured: best(10, alpha) / inC(way, alpha),
    })),
    ...MATCHED.map(({ arms, asked }) => ({
      name: `matched-tinf to htinf of alpha 1.5, K = ${arms.toLocaleString("en")}`,
      asked: `at most ${asked}`,
      measured: (results.find((each) => each.policy === "matched-tinf" && each.arms === arms)?.nsPerRound ?? Number.NaN) / best(arms, 1.5),
    })),
    { name: "indexed: most bytes per arm", asked: "at most 48", measured: bytes.length > 0 ? Math.max(...bytes) : Number.NaN },
  ];
  return found.filter(({ measured }) => !Number.isNaN(measured));
}
