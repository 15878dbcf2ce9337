import type { History } from "@tsallis/service/client";
import { useMemo } from "preact/hooks";
import { formatNumber } from "tsallis/statistics";
import { type Line, LogLines } from "../../../common/logLines.js";
import { Scroller } from "../../../common/scroller.js";
import type { SeriesStyle } from "../../../common/seriesStyle.js";
import { Section } from "./section.js";

const SHARES = [
  [0.5, "half"],
  [0.1, "1 in 10"],
  [0.01, "1 in 100"],
  [0.001, "1 in 1,000"],
] as const;

/** So many losses would make a picture if they differed. */
const ENOUGH = 10;

export function Losses({ costs, drawn }: { readonly costs: History["costs"]; readonly drawn: ReadonlyMap<string, SeriesStyle> }) {
  const lines = useMemo(() => linesOf(costs, drawn), [costs, drawn]);
  return (
    <Section id="losses" title="What do the losses look like?">
      {lines.length === 0 ? (
        <p>
          {costs.some(({ answered }) => answered > ENOUGH)
            ? "The losses have too few different sizes for a picture."
            : "Not enough losses for a picture yet."}
        </p>
      ) : (
        <>
          <p class="note">
            The share of an arm's losses that are larger than a size. On these axes a heavy tail is a straight line; the flatter, the heavier.
          </p>
          <LogLines label="Share of losses that are larger, for each arm" x="size of the loss" y="share of losses that are larger" lines={lines} />
          <details>
            <summary>As a table</summary>
            <Scroller label="Sizes that a share of the losses exceeds">
              <table>
                <thead>
                  <tr>
                    <th scope="col">arm</th>
                    {SHARES.map(([, words]) => (
                      <th scope="col" key={words}>
                        {words} is larger than
                      </th>
                    ))}
                  </tr>
                </thead>
                <tbody>
                  {lines.map(({ name, points }) => (
                    <tr key={name}>
                      <th scope="row">{name}</th>
                      {SHARES.map(([share, words]) => {
                        const point = points.find(([, larger]) => larger <= share);
                        return <td key={words}>{point === undefined ? "–" : formatNumber(point[0])}</td>;
                      })}
                    </tr>
                  ))}
                </tbody>
              </table>
            </Scroller>
          </details>
        </>
      )}
    </Section>
  );
}

/** What logarithmic axes can show: of each drawn arm the sizes above 0 that some losses exceed. */
function linesOf(costs: History["costs"], drawn: ReadonlyMap<string, SeriesStyle>): Line[] {
  return costs.flatMap(({ arm, survival }) => {
    const style = drawn.get(arm);
    const points = survival.filter(([size, share]) => size > 0 && share > 0).sort(([a], [b]) => a - b);
    return style === undefined || points.length < 2 ? [] : [{ name: arm, style, points }];
  });
}
