import type { BanditView, History, Timeline } from "@tsallis/service/client";
import { useState } from "preact/hooks";
import { formatCount, formatPercent } from "tsallis/statistics";
import { formatClock } from "../../../common/formatTime.js";
import { Scroller } from "../../../common/scroller.js";
import { OTHERS, type SeriesStyle } from "../../../common/seriesStyle.js";
import { Swatch } from "../../../common/swatch.js";
import { Estimate } from "./estimate.js";
import { formatLoss, isReward } from "./formatLoss.js";
import { Section } from "./section.js";
import { isOfDefault, isUnused } from "./trafficOf.js";

const ROWS = 50;

/** The figures of an arm: of the period, or for a segment of the last events. */
type Figures = Timeline["arms"][number];

interface Props {
  readonly view: BanditView;
  readonly history: History | undefined;
  readonly arms: readonly Figures[];
  readonly drawn: ReadonlyMap<string, SeriesStyle>;
}

/** What the arms cost now, next to what they cost before they last changed: mixed, a provider that became slow would still look fast. */
export function Costs({ view, history, arms, drawn }: Props) {
  const [all, setAll] = useState(false);
  const now = new Map(view.arms.map(({ name, probability }) => [name, probability]));
  const lately = new Map(history?.costs.map((cost) => [cost.arm, cost]));
  const loss = (value: number | null | undefined) => formatLoss(value, view.document);
  const hasBefore = arms.some(({ before }) => before !== null);
  const shown = all ? arms : arms.slice(0, ROWS);
  return (
    <Section id="costs" title={isReward(view.document) ? "What do the arms earn?" : "What do the arms cost?"}>
      <p class="note">
        {view.segment === "" ? "In the period. " : "Over the last events. "}
        {isReward(view.document) ? "Higher" : "Lower"} is better. {hasBefore && "Before: between its last two changes, or until its only one. "}Tail
        index, over the last events: below 2 the variance is infinite, below 1 the mean too.
        {isOfDefault(view) && !isUnused(view) && " Probability: of decisions that name no segment."}
      </p>
      <Scroller label="Figures of each arm">
        <table>
          <thead>
            <tr>
              <th scope="col">arm</th>
              <th scope="col">probability now</th>
              <th scope="col">median now</th>
              {hasBefore && <th scope="col">before</th>}
              <th scope="col">worst 1 in 10</th>
              <th scope="col">worst 1 in 100</th>
              <th scope="col">decisions</th>
              <th scope="col">missing</th>
              <th scope="col">tail index</th>
              <th scope="col">skipped</th>
            </tr>
          </thead>
          <tbody>
            {shown.map(({ arm, decisions, expired, changed, now: present, before }) => (
              <tr key={arm}>
                <th scope="row">
                  <div class="swatched">
                    <Swatch style={drawn.get(arm) ?? OTHERS} />
                    <span>
                      {arm}
                      {!now.has(arm) && <span class="note"> (retired)</span>}
                      {changed !== null && <span class="note"> changed {formatClock(Date.parse(changed))}</span>}
                    </span>
                  </div>
                </th>
                <td>{text(isUnused(view) ? null : now.get(arm), formatPercent)}</td>
                <td>{loss(present.median)}</td>
                {hasBefore && <td class="before">{loss(before?.median)}</td>}
                <td>{loss(present.p90)}</td>
                <td>{loss(present.p99)}</td>
                <td>{formatCount(decisions)}</td>
                <td>{text(missing(expired, present.answered + (before?.answered ?? 0)), formatPercent)}</td>
                <td>
                  <Estimate value={lately.get(arm)?.tail ?? null} />
                </td>
                <td>{text(lately.get(arm)?.skipped, formatPercent)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </Scroller>
      {arms.length > ROWS && (
        <p>
          <button type="button" onClick={() => setAll(!all)}>
            {all ? `Show the first ${ROWS}` : `Show all ${formatCount(arms.length)}`}
          </button>
        </p>
      )}
    </Section>
  );
}

/** The figures of a segment, by its last events, which no history has. */
export function figuresOf(history: History): Figures[] {
  return history.costs.map(({ arm, decisions, answered, median, p90, p99, missing: share }) => ({
    ...{ arm, decisions, isPresent: true, changed: null, before: null, now: { answered, median, p90, p99 } },
    expired: share === null || share === 1 ? 0 : Math.round((answered * share) / (1 - share)),
  }));
}

function missing(expired: number, answered: number): number | null {
  return expired + answered === 0 ? null : expired / (expired + answered);
}

function text(value: number | null | undefined, format: (value: number) => string): string {
  return value === null || value === undefined ? "–" : format(value);
}
