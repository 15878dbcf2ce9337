import type { BanditView, History } from "@tsallis/service/client";
import { useState } from "preact/hooks";
import { formatCount, formatNumber, formatPercent } from "tsallis/statistics";
import { Scroller } from "../../../common/scroller.js";
import { OTHERS, type SeriesStyle } from "../../../common/seriesStyle.js";
import { Swatch } from "../../../common/swatch.js";
import { Estimate } from "./estimate.js";
import { Section } from "./section.js";
import { isOfDefault, isUnused } from "./trafficOf.js";

const ROWS = 50;

interface Props {
  readonly view: BanditView;
  readonly history: History;
  readonly drawn: ReadonlyMap<string, SeriesStyle>;
}

export function Costs({ view, history, drawn }: Props) {
  const [all, setAll] = useState(false);
  const now = new Map(view.arms.map(({ name, probability }) => [name, probability]));
  const shown = all ? history.costs : history.costs.slice(0, ROWS);
  return (
    <Section id="costs" title="What do the arms cost?">
      <p class="note">
        {history.events > 0 && `Over the last ${formatCount(history.events)} events. `}Lower is better. Tail index: below 2 the losses have no
        variance, below 1 no mean.
        {isOfDefault(view) && !isUnused(view) && " Probability: of decisions that name no segment."}
      </p>
      <Scroller label="Figures of each arm">
        <table>
          <thead>
            <tr>
              <th scope="col">arm</th>
              <th scope="col">probability now</th>
              <th scope="col">decisions</th>
              <th scope="col">answered</th>
              <th scope="col">median</th>
              <th scope="col">90 %</th>
              <th scope="col">99 %</th>
              <th scope="col">mean</th>
              <th scope="col">tail index</th>
              <th scope="col">skipped</th>
              <th scope="col">missing</th>
            </tr>
          </thead>
          <tbody>
            {shown.map(({ arm, decisions, answered, median, p90, p99, mean, tail, skipped, missing }) => (
              <tr key={arm}>
                <th scope="row">
                  <div class="swatched">
                    <Swatch style={drawn.get(arm) ?? OTHERS} />
                    <span>
                      {arm}
                      {!now.has(arm) && <span class="note"> (retired)</span>}
                    </span>
                  </div>
                </th>
                <td>{text(isUnused(view) ? null : now.get(arm), formatPercent)}</td>
                <td>{formatCount(decisions)}</td>
                <td>{formatCount(answered)}</td>
                <td>{text(median, formatNumber)}</td>
                <td>{text(p90, formatNumber)}</td>
                <td>{text(p99, formatNumber)}</td>
                <td>{text(mean, formatNumber)}</td>
                <td>
                  <Estimate value={tail} />
                </td>
                <td>{text(skipped, formatPercent)}</td>
                <td>{text(missing, formatPercent)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </Scroller>
      {history.costs.length > ROWS && (
        <p>
          <button type="button" onClick={() => setAll(!all)}>
            {all ? `Show the first ${ROWS}` : `Show all ${formatCount(history.costs.length)}`}
          </button>
        </p>
      )}
    </Section>
  );
}

function text(value: number | null | undefined, format: (value: number) => string): string {
  return value === null || value === undefined ? "–" : format(value);
}
