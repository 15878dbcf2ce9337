import { useState } from "preact/hooks";
import { createEnvironment } from "tsallis";
import { formatCount, formatNumber } from "tsallis/statistics";
import type { Race } from "../engine/race.js";
import { EpochSteps } from "../parts/epochSteps.js";
import { HandleSliders } from "../parts/handleSliders.js";
import { RaceFigure } from "../parts/raceFigure.js";
import { Scrub } from "../parts/scrub.js";
import { type Step, Steps } from "../parts/steps.js";
import { useSteps } from "../parts/useSteps.js";
import type { Handle, Handles } from "../state/handles.js";
import type { Scene, SceneProps } from "./scene.js";

const ROUNDS = 30_000;
const distribution = (mean: number) => ({ distribution: "lomax", shape: 1.6, scale: 0.6 * mean });
const WORLD = { environment: "stochastic", alpha: 1.5, arms: [2.5, 5, 5, 5].map(distribution) };
const SIGMA = createEnvironment(WORLD, 1).sigma();

/** Handles are powers of ten. */
const factor = (power: number) => Number((10 ** power).toPrecision(2));
const timesTrue = (power: number) => (factor(power) === 1 ? "the true value" : `${formatCount(factor(power))} times the true value`);

const SIGMA_HANDLE: Handle = { name: "sigma", label: "HTINF's sigma:", low: -1, high: 1, step: 0.1, initial: 1, show: timesTrue };
const HORIZON_HANDLE: Handle = { name: "horizon", label: "AdaTINF's horizon:", low: 0, high: 3, step: 0.5, initial: 0, show: timesTrue };

function race({ sigma, horizon }: Handles): Race {
  return {
    world: WORLD,
    policies: [
      { label: "HTINF true sigma", spec: { policy: "htinf", alpha: "promised", sigma: "promised" } },
      { label: `HTINF ${factor(sigma!)}x sigma`, spec: { policy: "htinf", alpha: "promised", sigma: SIGMA * factor(sigma!) } },
      { label: "MatchedTINF", spec: { policy: "matched-tinf" } },
      { label: "AdaTINF", spec: { policy: "adatinf", horizon: Math.round(ROUNDS * factor(horizon!)) } },
      { label: "Ada2TINF", spec: { policy: "ada2tinf" } },
      { label: "OptTINF", spec: { policy: "opttinf" } },
    ],
    seeds: 5,
    rounds: ROUNDS,
  };
}

/** The claim needs no more than these. */
const FIRST = 3;
/** The height of the chart when there is another one below it, in pixels. */
const LOW = 210;

function Body({ scene, handles, setHandles }: SceneProps) {
  const { cue, onStep } = useSteps(handles, setHandles);
  const [isSecond, setIsSecond] = useState(false);
  // The horizon is AdaTINF's alone.
  const hasOthers = isSecond || handles.horizon !== HORIZON_HANDLE.initial;
  const scrub = (handle: Handle) => (
    <Scrub handle={handle} value={handles[handle.name]!} onChange={(value) => setHandles({ ...handles, [handle.name]: value })} />
  );
  const all = race(handles);
  const played = hasOthers ? all : { ...all, policies: all.policies.slice(0, FIRST) };
  const labels = played.policies.map(({ label }) => label);
  const steps: readonly Step[] = [
    {
      title: "HTINF needs sigma",
      handles: { sigma: 1, horizon: 0 },
      at: "start",
      words: (
        <p>
          Sigma says how large losses are: the mean of |loss|<sup>1.5</sup> is at most sigma<sup>1.5</sup> for every arm. In this world it is{" "}
          {formatNumber(SIGMA)}, and HTINF requires it before the first round. One line has the true value; the sigma of the other is{" "}
          {scrub(SIGMA_HANDLE)}. With ten times too much HTINF hardly stops exploring. Too little is the cheaper mistake here, and the one without any
          guarantee. MatchedTINF needs no parameters and pays least, but no bound is proved for it.
        </p>
      ),
    },
    {
      title: "Others do without it",
      handles: { sigma: 1, horizon: 3 },
      at: "start",
      words: (
        <p>
          Three more policies do without sigma, and join the race in this step. OptTINF plays as if sigma were 1, and pays most of the three. AdaTINF
          begins there too, and doubles its scale whenever it has paid too much for large losses: each doubling is a step up in the lower chart. For
          that it requires the horizon, here {scrub(HORIZON_HANDLE)}, and the longer that is, the longer it waits for each step. Ada2TINF guesses the
          horizon. When that is over, it doubles the guess and starts again without doublings: its line falls back. Here that costs more than AdaTINF
          pays with a horizon 1,000 times too long.
        </p>
      ),
    },
    {
      title: "Too small is cheaper here",
      handles: { sigma: -0.3, horizon: 0 },
      at: "end",
      words: (
        <>
          <p>
            With half the true sigma, HTINF pays less than with the true one: the true value is safe, not best. That holds from 0.2 to 0.8 times the
            true value; with a tenth it pays more again.
          </p>
          <p class="try">Try this: find the sigma at which HTINF pays least.</p>
        </>
      ),
    },
  ];
  return (
    <div class="scene">
      <Steps
        steps={steps}
        onStep={(step) => {
          setIsSecond(step === steps[1]);
          onStep(step);
        }}
      />
      <RaceFigure
        name={scene.name}
        race={played}
        scale="linear"
        speed={10_000}
        cue={cue}
        above={<HandleSliders handles={hasOthers ? scene.handles : [SIGMA_HANDLE]} values={handles} onChange={setHandles} />}
        {...(hasOthers && { height: LOW })}
        below={(view) => view.race.policies.length > FIRST && <EpochSteps view={view} labels={labels} policies={[3, 4]} />}
      />
    </div>
  );
}

export const PARAMETERS: Scene = {
  name: "parameters",
  title: "What it must know",
  short: "Parameters",
  claim: "HTINF pays for too large a sigma; one that is moderately too small is even cheaper in this world, but comes without a guarantee.",
  counted:
    "Median regret of 10 runs with other seeds: HTINF 9,310, with ten times the true sigma 45,790, with half 6,406, with a tenth 11,239; MatchedTINF, which requires none, 1,382.",
  handles: [SIGMA_HANDLE, HORIZON_HANDLE],
  race,
  Body,
};
