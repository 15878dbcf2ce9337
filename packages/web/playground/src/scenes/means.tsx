import { useEffect, useMemo, useState } from "preact/hooks";
import { formatCount, formatNumber, formatPercent } from "tsallis/statistics";
import { OTHERS, seriesStyle } from "../../../common/seriesStyle.js";
import type { Race } from "../engine/race.js";
import { type Means, trueMean } from "../engine/runningMeans.js";
import { LinesChart } from "../parts/linesChart.js";
import type { Handles } from "../state/handles.js";
import type { Scene, SceneProps } from "./scene.js";

/** The three estimates at work: a policy that believes means, and two that do not. */
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

function Body({ handles }: SceneProps) {
  const shape = handles.shape!;
  const [seed, setSeed] = useState(1);
  const [means, setMeans] = useState<Means | null>(null);
  const [wanted, setWanted] = useState(() => !matchMedia("(prefers-reduced-motion: reduce)").matches);
  useEffect(() => {
    if (!wanted) return;
    const worker = new Worker("./meansWorker.js", { type: "module" });
    worker.onmessage = ({ data }: MessageEvent<Means>) => setMeans(data);
    // It could not be loaded: what is shown is of other draws, and the button tries again.
    worker.onerror = () => {
      setMeans(null);
      setWanted(false);
    };
    worker.postMessage({ shape, seed });
    return () => worker.terminate();
  }, [shape, seed, wanted]);
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
  return (
    <>
      {means === null ? (
        <p>
          <button type="button" class="primary" onClick={() => setWanted(true)}>
            Draw a million
          </button>
        </p>
      ) : (
        <figure class="race">
          <LinesChart
            label="Estimates of the mean over the draws"
            x="draws"
            y="estimate"
            at={means.draws}
            lines={lines}
            range={[0, Math.max(3, 1.6 * truth)]}
          />
          <p>
            After {formatCount(means.draws.at(-1)!)} draws the largest single one makes {formatPercent(means.largest.at(-1)!)} of the sum.{" "}
            <button type="button" onClick={() => setSeed(seed + 1)}>
              Draw again
            </button>
          </p>
        </figure>
      )}
      <p class="words">
        These are losses of a Pareto distribution with tail index {formatNumber(shape)}. Its mean is {formatNumber(truth)}
        {shape <= 2 ? ", and its variance is infinite" : ""}. Every jump of the mean is one draw. Between jumps it sinks, because what it has not seen
        yet is a large part of the truth: the heavier the tail, the longer a sample looks better than the distribution is.
      </p>
      <p class="words">
        The truncated mean leaves out what is larger than a limit that grows with the number of draws. It is too low as well, but no single draw can
        throw it upwards, and by how much it can be wrong is known. The median is steady, but it settles at something else: half of the draws are
        below it, and the rare large ones, which are most of the cost, do not count.
      </p>
      <p class="words try">
        Try this: draw again, five times. How far apart are the five means after a million draws, and how many of them are above the true mean? Then
        put the tail index at 3.
      </p>
    </>
  );
}

export const MEANS: Scene = {
  name: "means",
  title: "Means that do not settle",
  claim: "With a heavy tail, even the average of a million draws can be far from the mean.",
  handles: [{ name: "shape", label: "tail index", low: 1.1, high: 3, step: 0.1, initial: 1.1, show: (value) => value.toFixed(1) }],
  race,
  Body,
};
