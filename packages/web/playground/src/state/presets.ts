import type { Race } from "../engine/race.js";

const lomax = (scale: number, shape = 1.7) => ({ distribution: "lomax", shape, scale });
const policies: Race["policies"] = [
  { label: "HTINF", spec: { policy: "htinf", alpha: "promised", sigma: "promised" } },
  { label: "MatchedTINF", spec: { policy: "matched-tinf" } },
  { label: "RobustUCB", spec: { policy: "robust-ucb", alpha: "promised", sigma: "promised" } },
  { label: "UCB1", spec: { policy: "ucb1" } },
];
const base = { policies, seeds: 10, rounds: 10_000 };
const stochastic = (alpha: number, arms: readonly object[]): Race["world"] => ({ environment: "stochastic", alpha, arms });

/** Where the sandbox can begin. The first is what it opens with. */
export const PRESETS: readonly { readonly name: string; readonly race: Race }[] = [
  { name: "Heavy tails", race: { ...base, world: stochastic(1.2, [lomax(0.4), lomax(0.7), lomax(0.7)]) } },
  {
    name: "Light tails",
    race: {
      ...base,
      world: stochastic(
        2,
        [0.4, 0.6, 0.6].map((mean) => ({ distribution: "normal", mean, deviation: 0.5 })),
      ),
    },
  },
  {
    name: "Rare gains",
    race: {
      ...base,
      world: stochastic(2, [
        { distribution: "two-point", value: -50, probability: 0.02 },
        { distribution: "constant", value: -0.5 },
      ]),
      policies: [
        policies[0]!,
        { label: "SignedTINF", spec: { policy: "signed-tinf", alpha: "promised", sigma: "promised" } },
        policies[1]!,
        policies[3]!,
      ],
    },
  },
  {
    name: "The best arm changes",
    race: {
      ...base,
      world: { environment: "switching", alpha: 1.5, arms: [lomax(0.3), lomax(0.7)], alternate: [lomax(0.7), lomax(0.3)], period: 5_000 },
      policies: [...policies, { label: "MatchedTINF detecting", spec: { policy: "matched-tinf", detect: 0.01 } }],
    },
  },
  { name: "Late feedback", race: { ...base, world: { ...stochastic(1.2, [lomax(0.4), lomax(0.7), lomax(0.7)]), delay: 500 } } },
];
