import type { Race } from "../engine/race.js";
import { RaceFigure } from "../parts/raceFigure.js";
import type { Handles } from "../state/handles.js";
import type { Scene, SceneProps } from "./scene.js";

const SAFE = { distribution: "uniform", low: 0.3, high: 1.3 };
/** Mostly far below its mean of 0.5, and without a variance. */
const GOOD = { distribution: "lomax", shape: 1.3, scale: 0.15 };

function race({ seeds }: Handles): Race {
  return {
    world: { environment: "stochastic", alpha: 1.25, arms: [SAFE, SAFE, SAFE, GOOD] },
    policies: [
      { label: "HTINF", spec: { policy: "htinf", alpha: "promised", sigma: "promised" } },
      { label: "MatchedTINF", spec: { policy: "matched-tinf" } },
      { label: "UCB1", spec: { policy: "ucb1" } },
      { label: "Thompson", spec: { policy: "thompson", sigma: 1 } },
      { label: "EXP3", spec: { policy: "exp3" } },
    ],
    seeds: Math.round(seeds!),
    rounds: 5_000,
  };
}

function Body({ scene, handles }: SceneProps) {
  return (
    <>
      <RaceFigure name={scene.name} race={race(handles)} scale="linear" speed={100} />
      <p class="words">
        Five policies choose among four arms, round after round, and pay the loss of the arm they chose. Arms 1 to 3 cost between 0.3 and 1.3. Arm 4
        is the best: it costs 0.5 on average, usually much less, and very rarely a fortune, because its losses have no variance. The chart counts what
        a policy has paid, in expectation, beyond someone who always plays arm 4. That is its regret.
      </p>
      <p class="words">
        In round 116 of seed 1 arm 4 costs 185. UCB1 and Thompson both play it then; in their averages it now looks like the worst arm by far, and
        they do not play it again in this race: their lines turn straight, and a straight line means that nothing is learned. EXP3 is fooled as well,
        and needs more than three thousand rounds to come back. HTINF does not count a loss that large, MatchedTINF cuts it off, and both go on
        learning.
      </p>
      <p class="words">
        World and seed were picked so that one loss decides the race early. How often does that happen here? Of the seeds 1 to 20, UCB1 loses more
        than half of all that it can lose in seven, Thompson in four, EXP3 in one. Of the seeds 101 to 120, tried after the picking, it is four, five
        and one. HTINF and MatchedTINF: none of the forty.
      </p>
      <p class="words try">
        Try this: set the number of seeds to 20. The lines are then medians, and the shades hold the middle eight of ten runs. The medians of UCB1 and
        Thompson look harmless. How would you tell from a median that seven runs of twenty were lost?
      </p>
    </>
  );
}

export const RACE_SCENE: Scene = {
  name: "race",
  title: "The race",
  claim: "Where losses have no variance, one unlucky loss is enough to fool a method that believes in averages.",
  handles: [{ name: "seeds", label: "Seeds", low: 1, high: 20, step: 1, initial: 1 }],
  race,
  Body,
};
