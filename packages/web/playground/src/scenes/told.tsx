import { createEnvironment } from "tsallis";
import { formatNumber } from "tsallis/statistics";
import type { Race } from "../engine/race.js";
import { EpochSteps } from "../parts/epochSteps.js";
import { RaceFigure } from "../parts/raceFigure.js";
import type { Handles } from "../state/handles.js";
import type { Scene, SceneProps } from "./scene.js";

const ROUNDS = 30_000;
const distribution = (mean: number) => ({ distribution: "lomax", shape: 1.6, scale: 0.6 * mean });
const WORLD = { environment: "stochastic", alpha: 1.5, arms: [2.5, 5, 5, 5].map(distribution) };
const SIGMA = createEnvironment(WORLD, 1).sigma();

/** Handles are powers of ten. */
const factor = (power: number) => Number((10 ** power).toPrecision(2));

function race({ sigma, horizon }: Handles): Race {
  return {
    world: WORLD,
    policies: [
      { label: "HTINF told the truth", spec: { policy: "htinf", alpha: "promised", sigma: "promised" } },
      { label: "HTINF misinformed", spec: { policy: "htinf", alpha: "promised", sigma: SIGMA * factor(sigma!) } },
      { label: "OptTINF", spec: { policy: "opttinf" } },
      { label: "AdaTINF", spec: { policy: "adatinf", horizon: Math.round(ROUNDS * factor(horizon!)) } },
      { label: "Ada2TINF", spec: { policy: "ada2tinf" } },
      { label: "MatchedTINF", spec: { policy: "matched-tinf" } },
    ],
    seeds: 5,
    rounds: ROUNDS,
  };
}

function Body({ scene, handles }: SceneProps) {
  const played = race(handles);
  const labels = played.policies.map(({ label }) => label);
  return (
    <>
      <RaceFigure
        name={scene.name}
        race={played}
        scale="linear"
        speed={10_000}
        below={(view) => <EpochSteps view={view} labels={labels} policies={[3, 4]} />}
      />
      <p class="words">
        The losses here have σ = {formatNumber(SIGMA)}: that is how large E|loss|<sup>1.5</sup> lets them be. HTINF must be told this number before
        the first round. Told ten times as much, it hardly stops exploring in this race, and pays five times the regret of the truth. Told a tenth, it
        pays a quarter more than with the truth; told a third, less, because what a proof must assume is more cautious than this world needs. So too
        small is the cheaper mistake here. It is also the one without any guarantee.
      </p>
      <p class="words">
        The others are not told σ. OptTINF plays as if it were 1, and pays more than three times the regret of HTINF told the truth. AdaTINF begins
        there as well and learns the scale: whenever it has paid too much for large losses, it doubles its scale and begins an epoch, which is a step
        in the lower chart. For that it must know the horizon; told one that is a thousand times too long, it waits too long for each step and pays
        more than double. Ada2TINF needs no horizon: it guesses one, doubles it and begins again, and every new beginning costs something. MatchedTINF
        is told nothing, and is the cheapest here; but it is the only one about which no bound is proved.
      </p>
      <p class="words try">Try this: find the σ at which HTINF misinformed pays least. Would you have guessed that it is a lie?</p>
    </>
  );
}

export const TOLD: Scene = {
  name: "told",
  title: "What you must tell it",
  claim: "A policy that must be told something pays when that is wrong, and a policy that finds it out pays for finding out.",
  handles: [
    { name: "sigma", label: "HTINF is told σ times", low: -1, high: 1, step: 0.1, initial: 1, show: (power) => String(factor(power)) },
    {
      name: "horizon",
      label: "AdaTINF is told the horizon times",
      low: 0,
      high: 3,
      step: 0.5,
      initial: 0,
      show: (power) => String(factor(power)),
    },
  ],
  race,
  Body,
};
