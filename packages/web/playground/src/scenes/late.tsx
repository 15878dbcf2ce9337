import { formatCount } from "tsallis/statistics";
import type { Race } from "../engine/race.js";
import { InFlight } from "../parts/inFlight.js";
import { RaceFigure } from "../parts/raceFigure.js";
import type { Handles } from "../state/handles.js";
import type { Scene, SceneProps } from "./scene.js";

const ROUNDS = 20_000;
const distribution = (mean: number) => ({ distribution: "lomax", shape: 1.6, scale: 0.6 * mean });

/** The handle is a power of ten. */
const halfLifeOf = (power: number) => Number((10 ** power).toPrecision(2));

function race({ delay, memory }: Handles): Race {
  const halfLife = halfLifeOf(memory!);
  const htinf = { policy: "htinf", alpha: "promised", sigma: "promised" };
  const late = Math.round(delay!);
  return {
    world: {
      environment: "switching",
      alpha: 1.5,
      arms: [0.4, 1, 1].map(distribution),
      alternate: [1, 1, 0.4].map(distribution),
      period: ROUNDS / 2,
      ...(late > 0 && { delay: late }),
    },
    policies: [
      { label: "HTINF", spec: htinf },
      { label: "HTINF forgetting", spec: { ...htinf, halfLife } },
      { label: "MatchedTINF", spec: { policy: "matched-tinf" } },
      { label: "MatchedTINF forgetting", spec: { policy: "matched-tinf", halfLife } },
    ],
    seeds: 5,
    rounds: ROUNDS,
  };
}

function Body({ scene, handles }: SceneProps) {
  return (
    <>
      <RaceFigure
        name={scene.name}
        race={race(handles)}
        scale="linear"
        against="round"
        speed={1_000}
        below={(view) => <InFlight round={view.round} delay={Math.round(handles.delay!)} />}
      />
      <p class="words">
        The best arm costs 0.4 on average and the others 1. In the middle of the race, after round 10,000, arm 1 becomes one of the others and arm 3
        the best. Nobody is told. Regret is counted here against the best arm of each round, not against one arm for the whole race.
      </p>
      <p class="words">
        A policy that remembers everything has 10,000 rounds of praise for arm 1 to unlearn, and its line turns steep. One that forgets counts a loss
        half after a half-life, and turns round much sooner. It pays for this before the change: what is forgotten has to be learned again, so its
        line lies higher in the first half. Too short a half-life pays this all the time, too long a one is late. Each guarantee of the paper is
        against one arm for the whole race; with a half-life there is none of that kind.
      </p>
      <p class="words">
        A delay lets losses arrive late, as clicks and claims do. The dots are losses that are played and not yet learned. What they cost is at least
        what is played blindly: at the start and after the change, a policy acts on news that is as old as the delay.
      </p>
      <p class="words try">
        Try this: with a half-life of 1,000, raise the delay to 1,000. The forgetting HTINF now loses much of its advantage. Which half-life gives
        some of it back?
      </p>
    </>
  );
}

export const LATE: Scene = {
  name: "late",
  title: "Late and changing",
  claim: "Where the best arm changes, a policy that never forgets pays for its long memory, and late news makes every change dearer.",
  handles: [
    { name: "delay", label: "A loss is learned after rounds:", low: 0, high: 1_000, step: 50, initial: 200, show: formatCount },
    {
      name: "memory",
      label: "Half-life of the memory in rounds:",
      low: 2,
      high: 4,
      step: 0.1,
      initial: 3,
      show: (power) => formatCount(halfLifeOf(power)),
    },
  ],
  race,
  Body,
};
