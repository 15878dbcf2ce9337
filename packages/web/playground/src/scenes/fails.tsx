import { formatPercent } from "tsallis/statistics";
import { type Race, runOf } from "../engine/race.js";
import { RaceFigure } from "../parts/raceFigure.js";
import type { Handles } from "../state/handles.js";
import type { Scene, SceneProps } from "./scene.js";

const NOISE = { distribution: "lomax", shape: 1.4, scale: 0.8 };
const MEAN = 2;

/** The best arm's mean is 2 whatever the share, and the others' is 3. */
function race({ share }: Handles): Race {
  const best = { distribution: "shifted", by: MEAN - (1 - 2 * share!) * MEAN, of: { distribution: "signed", p: 1 - share!, of: NOISE } };
  const other = { distribution: "shifted", by: 1, of: NOISE };
  return {
    world: { environment: "stochastic", alpha: 1.3, arms: [best, other, other] },
    policies: [
      { label: "HTINF", spec: { policy: "htinf", alpha: "promised", sigma: "promised" } },
      { label: "OptTINF", spec: { policy: "opttinf" } },
      { label: "Ada2TINF", spec: { policy: "ada2tinf" } },
      { label: "MatchedTINF", spec: { policy: "matched-tinf" } },
      { label: "Uniform", spec: { policy: "uniform" } },
    ],
    seeds: 5,
    rounds: 30_000,
  };
}

function Body({ scene, handles }: SceneProps) {
  const played = race(handles);
  const { holds } = runOf(played, { policy: 0, seed: 1 }).environment.assumptions.truncatedNonNegative;
  return (
    <>
      <p class="verdict">
        Truncated non-negativity of the best arm: <strong>{holds === undefined ? "not known" : holds ? "holds" : "is violated"}</strong>
      </p>
      <RaceFigure name={scene.name} race={played} scale="linear" speed={10_000} />
      <p class="words">
        HTINF, OptTINF and Ada2TINF skip a loss that is too large, as if it had been 0. That is harmless if what is skipped is bad news, on balance:
        an arm then looks a little better than it is, is played again, and is found out. The paper calls it truncated non-negativity of the best arm:
        beyond any threshold, the positive losses outweigh the negative ones. All its theorems assume it.
      </p>
      <p class="words">
        The handle turns the best arm's heavy tail over. Its mean stays 2, by 1 better than the others, but what makes it the best is more and more a
        few very large gains, and these are what is skipped. Beyond one half the assumption is violated. With the whole tail on the negative side
        OptTINF takes the best arm for the worst: its regret is a straight line, far above that of Uniform, which chooses by lot. It stays straight
        for 300,000 rounds at least. Ada2TINF does no better than Uniform in this race, and begins to learn only in a much longer one. HTINF, which
        knows the scale, skips less; it still learns, and pays three to four times what it pays with the tail on the right.
      </p>
      <p class="words">
        MatchedTINF cuts losses off at a limit that widens as it learns, and is hurt least. But it is hurt: look at its shade at the end. Before you
        use any of these for profits instead of losses, ask on which side the surprises are.
      </p>
      <p class="words try">
        Try this: find the share from which on OptTINF is worse than chance. Is it where the assumption breaks? A theorem speaks of the long run, and
        thirty thousand rounds need not be one.
      </p>
    </>
  );
}

export const FAILS: Scene = {
  name: "fails",
  title: "Where it fails",
  claim: "If what makes an arm the best is a few huge gains, a policy that skips what is huge may never find it.",
  handles: [{ name: "share", label: "Share of the best arm's tail that is negative", low: 0, high: 1, step: 0.05, initial: 1, show: formatPercent }],
  race,
  Body,
};
