import { formatCount } from "tsallis/statistics";
import type { Race } from "../engine/race.js";
import { HandleSliders } from "../parts/handleSliders.js";
import { InFlight } from "../parts/inFlight.js";
import { RaceFigure } from "../parts/raceFigure.js";
import { Scrub } from "../parts/scrub.js";
import { type Step, Steps } from "../parts/steps.js";
import { useSteps } from "../parts/useSteps.js";
import type { Handle, Handles } from "../state/handles.js";
import type { Scene, SceneProps } from "./scene.js";

const ROUNDS = 20_000;
const MARKS = [{ round: ROUNDS / 2, words: "the best arm changes" }];
const distribution = (mean: number) => ({ distribution: "lomax", shape: 1.6, scale: 0.6 * mean });

/** The handle is a power of ten. */
const halfLifeOf = (power: number) => Number((10 ** power).toPrecision(2));
const rounds = (count: number) => `${formatCount(count)} rounds`;

const DELAY: Handle = { name: "delay", label: "Feedback delay:", low: 0, high: 1_000, step: 50, initial: 0, show: rounds };
const MEMORY: Handle = {
  name: "memory",
  label: "Half-life of the memory:",
  low: 2,
  high: 4,
  step: 0.1,
  initial: 3,
  show: (power) => rounds(halfLifeOf(power)),
};

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
    seeds: 10,
    rounds: ROUNDS,
  };
}

function Body({ scene, handles, setHandles }: SceneProps) {
  const { cue, onStep } = useSteps(handles, setHandles);
  const scrub = (handle: Handle) => (
    <Scrub handle={handle} value={handles[handle.name]!} onChange={(value) => setHandles({ ...handles, [handle.name]: value })} />
  );
  const steps: readonly Step[] = [
    {
      title: "The best arm changes",
      handles: { delay: 0, memory: 3 },
      at: "start",
      words: (
        <p>
          The best arm costs 0.4 on average and the others 1. After round 10,000 arm 1 becomes one of the others, and arm 3 the best. Regret is
          counted against the best arm of each round. A policy that remembers everything has 10,000 good rounds of arm 1 to unlearn, and its line
          turns steep.
        </p>
      ),
    },
    {
      title: "Forgetting",
      handles: { delay: 0, memory: 3 },
      at: "end",
      words: (
        <p>
          With a half-life of {scrub(MEMORY)}, a loss counts half after that time. Such a policy has less to unlearn after the change. Before it, a
          short half-life costs more: what is forgotten has to be learned again. The guarantees of the paper are against one arm for the whole race;
          with a half-life there is none.
        </p>
      ),
    },
    {
      title: "Late feedback",
      handles: { delay: 1_000, memory: 3 },
      at: "start",
      words: (
        <>
          <p>
            Clicks and purchases are often reported late. The feedback delay is now {scrub(DELAY)}. With a delay, losses that are played and not yet
            learned travel as dots below the chart. At the start and after the change, a policy acts on news that is as old as the delay, and pays for
            it.
          </p>
          <p class="try">
            Try this: with a delay of 1,000 rounds, the forgetting HTINF loses much of its advantage. Which half-life gives some of it back?
          </p>
        </>
      ),
    },
  ];
  return (
    <div class="scene">
      <Steps steps={steps} onStep={onStep} />
      <RaceFigure
        name={scene.name}
        race={race(handles)}
        scale="linear"
        against="round"
        speed={10_000}
        cue={cue}
        marks={MARKS}
        above={<HandleSliders handles={scene.handles} values={handles} onChange={setHandles} />}
        below={(view) => <InFlight round={view.round} delay={Math.round(handles.delay!)} />}
      />
    </div>
  );
}

export const LATE: Scene = {
  name: "late",
  title: "Changes and late feedback",
  short: "Changes",
  claim: "Where the best arm changes, a policy that never forgets pays for its long memory.",
  counted: "Median regret of 20 runs with other seeds: HTINF 5,223, with forgetting 2,399; with feedback 1,000 rounds late 5,928 and 4,594.",
  handles: [DELAY, MEMORY],
  race,
  Body,
};
