import { useEffect, useMemo, useState } from "preact/hooks";
import { formatCount, formatNumber, formatPercent } from "tsallis/statistics";
import { OTHERS, seriesStyle } from "../../../common/seriesStyle.js";
import { unbroken } from "../../../common/unbroken.js";
import type { Race } from "../engine/race.js";
import { type Means, OTHER_SAMPLES, trueMean } from "../engine/runningMeans.js";
import { HandleSliders } from "../parts/handleSliders.js";
import { LinesChart } from "../parts/linesChart.js";
import { Scrub } from "../parts/scrub.js";
import { Stage } from "../parts/stage.js";
import { type Step, Steps } from "../parts/steps.js";
import { useSteps } from "../parts/useSteps.js";
import { wantsLessMotion } from "../parts/wantsLessMotion.js";
import type { Handle, Handles } from "../state/handles.js";
import type { Scene, SceneProps } from "./scene.js";

const SHAPE: Handle = { name: "shape", label: "Tail index:", low: 1.1, high: 3, step: 0.1, initial: 1.1, show: (value) => value.toFixed(1) };
const DRAWS = 1_000_000;
/** A sample in which the mean and the truncated mean differ. */
export const TRUNCATED_SEED = 2;
/** The first picture for those who want less motion has at least so many. */
const FIRST_DRAWS = 1_000;

/** The three estimates at work: a policy that trusts means, and two that do not. */
function race({ shape }: Handles): Race {
  const alpha = (1 + Math.min(2, shape!)) / 2;
  return {
    world: {
      environment: "stochastic",
      alpha,
      arms: [
        { distribution: "pareto", shape: shape!, scale: 1 },
        { distribution: "pareto", shape: shape!, scale: 1.3 },
      ],
    },
    policies: [
      { label: "mean", spec: { policy: "ucb1" } },
      { label: "truncated mean", spec: { policy: "robust-ucb", alpha: "promised", sigma: "promised", estimator: "truncated" } },
      { label: "median of means", spec: { policy: "robust-ucb", alpha: "promised", sigma: "promised", estimator: "median-of-means" } },
    ],
    seeds: 1,
    rounds: 10_000,
  };
}

function Body({ scene, handles, setHandles }: SceneProps) {
  const { cue, onStep } = useSteps(handles, setHandles);
  const shape = handles.shape!;
  const [seed, setSeed] = useState(1);
  const [means, setMeans] = useState<Means | null>(null);
  const [tries, setTries] = useState(0);
  const [hasFailed, setFailed] = useState(false);
  useEffect(() => {
    // With less motion there are two pictures: one at once, and the end.
    const isCalm = wantsLessMotion();
    let isFirst = true;
    const worker = new Worker("./meansWorker.js", { type: "module" });
    worker.onmessage = ({ data }: MessageEvent<Means>) => {
      const drawn = data.draws.at(-1)!;
      if (isCalm && drawn < DRAWS && (drawn < FIRST_DRAWS || !isFirst)) return;
      isFirst = false;
      setFailed(false);
      setMeans(data);
    };
    // It could not be loaded: what is shown is of other draws, and the button tries again.
    worker.onerror = () => {
      setMeans(null);
      setFailed(true);
    };
    worker.postMessage({ shape, seed });
    return () => worker.terminate();
  }, [shape, seed, tries, cue.count]);
  const truth = trueMean(shape);
  const lines = useMemo(() => {
    if (means === null) return [];
    return [
      { name: "mean", style: seriesStyle(0), values: means.mean },
      { name: "truncated mean", style: seriesStyle(1), values: means.truncated },
      { name: "median", style: seriesStyle(2), values: means.median },
      { name: "true mean", style: OTHERS, values: means.draws.map(() => truth) },
    ];
  }, [means, truth]);
  const ends = means?.others.map((values) => values.at(-1)!) ?? [];
  const scrub = <Scrub handle={SHAPE} value={shape} onChange={(value) => setHandles({ ...handles, shape: value })} />;
  const steps: readonly Step[] = [
    {
      title: "A million draws",
      handles: { shape: 1.1 },
      at: "start",
      words: (
        <p>
          These are losses of a Pareto distribution with tail index {scrub}: a loss ten times as large is {formatNumber(10 ** shape)} times as rare.
          Its mean is {formatNumber(truth)}
          {shape <= 2 ? ", and its variance is infinite" : ""}. Every jump of the mean is one draw. Between jumps it sinks, because most draws are
          smaller than the mean. A mean that looks settled need not be right: the thin lines are the means of {OTHER_SAMPLES} other samples. With 1.1,
          most of them look settled far below the true mean.
        </p>
      ),
    },
    {
      title: "Two other estimates",
      handles: { shape: 1.5 },
      at: "start",
      words: (
        <p>
          The tail index is now {scrub}. The truncated mean leaves out draws above a limit that grows with their number. It usually starts too low,
          but a draw above the limit does not lift it, and there is a bound on its error. In the sample that this step begins with, one draw before
          the 150th lifts the mean to about twice the true mean, and not the truncated mean. The median is steady, but it settles at something else:
          how large the large losses are does not count.
        </p>
      ),
    },
    {
      title: "With a finite variance",
      handles: { shape: 3 },
      at: "start",
      words: (
        <>
          <p>
            Above a tail index of 2 the variance is finite, and the mean settles: with 3, well before the last draw. This is the world that most
            methods assume. The tail index is now {scrub}.
          </p>
          <p class="try">Try this: go back to 1.1 and draw again. How many of the ten means are above the true mean after a million draws?</p>
        </>
      ),
    },
  ];
  return (
    <div class="scene">
      <Steps
        steps={steps}
        onStep={(step) => {
          setSeed(step === steps[1] ? TRUNCATED_SEED : 1);
          onStep(step);
        }}
      />
      <figure class="race">
        <Stage>
          <HandleSliders handles={scene.handles} values={handles} onChange={setHandles} />
          {means === null ? (
            <p class="waiting">
              {hasFailed ? (
                <button type="button" class="primary" onClick={() => setTries(tries + 1)}>
                  Draw a million
                </button>
              ) : (
                "Drawing…"
              )}
            </p>
          ) : (
            <>
              <LinesChart
                label="Estimates of the mean over the draws"
                x="draws"
                y="estimate"
                at={means.draws}
                lines={lines}
                thin={means.others}
                range={[0, Math.max(3, 1.6 * truth)]}
                where={(draws) => `After ${draws} draws`}
              />
              <p>
                After {formatCount(means.draws.at(-1)!)} draws the mean is {unbroken(offBy(means.mean.at(-1)!, truth))} the true mean. The means of
                the {OTHER_SAMPLES} other samples, the thin lines, lie between {unbroken(offBy(Math.min(...ends), truth))} and{" "}
                {unbroken(offBy(Math.max(...ends), truth))} it. The largest single draw makes up {unbroken(formatPercent(means.largest.at(-1)!))} of
                the sum.{" "}
                <button type="button" onClick={() => setSeed(seed + 1)}>
                  Draw again
                </button>
              </p>
            </>
          )}
        </Stage>
      </figure>
    </div>
  );
}

/** How far a mean is from the true one, in words. */
export function offBy(mean: number, truth: number): string {
  return `${formatPercent(Math.abs(mean / truth - 1))} ${mean < truth ? "below" : "above"}`;
}

export const MEANS: Scene = {
  name: "means",
  title: "Means that do not settle",
  short: "Means",
  claim: "With a heavy tail, even the average of a million draws can be far from the mean.",
  counted: "Of 40 other averages of a million draws with tail index 1.1, 37 are off by more than 10 %.",
  handles: [SHAPE],
  race,
  Body,
};
