import type { BanditView } from "@tsallis/service/client";
import { useMemo } from "preact/hooks";
import { formatPercent } from "tsallis/statistics";
import { formatMoment } from "../../../common/formatTime.js";
import { Scroller } from "../../../common/scroller.js";
import type { SeriesStyle } from "../../../common/seriesStyle.js";
import { StackedAreas } from "../../../common/stackedAreas.js";
import { Section } from "./section.js";
import { isDrawable, isOfDefault, isUnused, type Traffic, type TrafficSource, trafficOf } from "./trafficOf.js";

const ROWS = 20;

interface Props {
  readonly traffic: TrafficSource;
  readonly drawn: ReadonlyMap<string, SeriesStyle>;
  readonly view: BanditView;
  /** Whether it ends now, with the present probabilities. */
  readonly isNow: boolean;
}

export function TrafficSection({ traffic: source, drawn, view, isNow }: Props) {
  const traffic = useMemo(() => trafficOf(source, drawn, isNow ? view.arms : []), [source, drawn, view, isNow]);
  const label = traffic.of === "probabilities" ? "Probability of each arm over time" : "Share of the decisions of each arm over time";
  return (
    <Section id="traffic" title="Where does the traffic go?">
      {!isDrawable(traffic) ? (
        <p>{source.points.length === 0 ? "There are no decisions in this period." : "A picture needs decisions from more than one second."}</p>
      ) : (
        <>
          <p class="note">{wordsOf(traffic, view)}</p>
          <StackedAreas label={label} times={traffic.times} areas={traffic.areas} />
          <details>
            <summary>As a table</summary>
            <TrafficTable label={label} traffic={traffic} />
          </details>
        </>
      )}
    </Section>
  );
}

/** What the picture shows and, if it is the shares, why. */
function wordsOf({ of }: Traffic, view: BanditView): string {
  if (of === "probabilities") return `The policy's probabilities${isOfDefault(view) ? " for decisions that name no segment" : ""}.`;
  const shares = "The shares of the decisions";
  if (isUnused(view)) return `${shares}, all of which name a segment. Each segment has its own probabilities.`;
  if (view.arms.every(({ probability }) => probability === null)) return `${shares}. ${view.document.policy.policy} does not tell its probabilities.`;
  return `${shares}. The log has no probabilities where there are many arms, or none yet.`;
}

/** Some rows of the picture, evenly spaced, the newest first. */
function TrafficTable({ label, traffic: { times, areas } }: { readonly label: string; readonly traffic: Traffic }) {
  const last = times.length - 1;
  const step = Math.max(1, Math.ceil(times.length / ROWS));
  const rows = Array.from({ length: Math.floor(last / step) + 1 }, (_, i) => last - i * step);
  return (
    <Scroller label={label}>
      <table>
        <thead>
          <tr>
            <th scope="col">time</th>
            {areas.map(({ name }) => (
              <th scope="col" key={name}>
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={row}>
              <th scope="row">{formatMoment(times[row]! * 1000)}</th>
              {areas.map(({ name, values }) => (
                <td key={name}>{values[row] === null ? "–" : formatPercent(values[row]!)}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </Scroller>
  );
}
