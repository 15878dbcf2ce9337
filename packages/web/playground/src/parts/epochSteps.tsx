import { useMemo, useState } from "preact/hooks";
import { formatCount } from "tsallis/statistics";
import uPlot from "uplot";
import { axis } from "../../../common/axis.js";
import { Legend } from "../../../common/legend.js";
import { PALETTE } from "../../../common/palette.js";
import { Plot } from "../../../common/plot.js";
import { seriesStyle } from "../../../common/seriesStyle.js";
import type { RaceView } from "../engine/engine.js";
import { rightOf, WHOLE } from "./regretChart.js";

interface Props {
  readonly view: RaceView;
  readonly labels: readonly string[];
  /** The policies that have epochs. */
  readonly policies: readonly number[];
}

const HEIGHT = 120;

/** The epochs of the first seed: a policy that doubles its scale climbs by one step. */
export function EpochSteps({ view, labels, policies }: Props) {
  const [point, setPoint] = useState<number | null>(null);
  const shown = Math.max(2, view.checkpoints.filter((round) => round <= view.round).length);
  const at = Math.min(point ?? shown - 1, shown - 1);
  const epochAt = (policy: number, i: number) => String(view.tapes[policy]!.epochs[i] ?? "–");
  const data = useMemo(
    () => [view.checkpoints.slice(0, shown), ...policies.map((policy) => view.tapes[policy]!.epochs.slice(0, shown))] as uPlot.AlignedData,
    [view.version, shown],
  );
  return (
    <>
      <Plot
        label={`Doublings of ${policies.map((policy) => labels[policy]).join(" and ")}`}
        shape={policies.join()}
        data={data}
        height={HEIGHT}
        at={at}
        onPoint={setPoint}
        describe={(i) =>
          `round ${formatCount(view.checkpoints[i]!)}: ${policies.map((policy) => `${labels[policy]} ${epochAt(policy, i)}`).join(", ")}`
        }
        options={(scheme) => ({
          legend: { show: false },
          cursor: { drag: { x: false, y: false }, y: false, points: { show: false } },
          padding: [8, (plot: uPlot) => rightOf(plot.width), 0, 0],
          scales: { x: { time: false, range: (_, __, high) => [0, high] }, y: { range: (_, __, high) => [0, Math.max(4, high + 0.5)] } },
          axes: [
            axis(scheme, { label: "round", size: 30, incrs: WHOLE, values: (_, splits) => splits.map(formatCount) }),
            axis(scheme, { label: "doublings", size: 64, incrs: [1, 2, 5] }),
          ],
          series: [
            {},
            ...policies.map((policy) => {
              const { colour, dash } = seriesStyle(policy);
              return {
                stroke: PALETTE[scheme][colour],
                width: 2,
                dash: [...dash],
                points: { show: false },
                paths: uPlot.paths.stepped!({ align: 1 }),
              };
            }),
          ],
        })}
      />
      <Legend
        at={`Doublings by round ${formatCount(view.checkpoints[at]!)}, seed 1:`}
        entries={policies.map((policy) => ({ name: labels[policy]!, style: seriesStyle(policy), value: epochAt(policy, at) }))}
        lines
      />
    </>
  );
}
