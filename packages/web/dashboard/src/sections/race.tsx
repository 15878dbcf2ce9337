import type { Evaluation } from "@tsallis/service/client";
import { useState } from "preact/hooks";
import { formatCount, formatNumber, formatPercent } from "tsallis/statistics";
import { Scroller } from "../../../common/scroller.js";
import { OTHERS, type SeriesStyle } from "../../../common/seriesStyle.js";
import { Swatch } from "../../../common/swatch.js";
import { unbroken } from "../../../common/unbroken.js";
import { EvidenceBar } from "./evidenceBar.js";
import { RangeBar, scaleOf } from "./rangeBar.js";
import { Section } from "./section.js";

const ROWS = 50;
const WORDS = { leads: "leads", in: "in the race", out: "out" };

interface Props {
  readonly evaluation: Evaluation;
  readonly unit: string;
  readonly drawn: ReadonlyMap<string, SeriesStyle>;
}

/** Which arm is best, and may I stop? */
export function Race({ evaluation, unit, drawn }: Props) {
  const { arms, verdict, sentences, error } = evaluation;
  const [all, setAll] = useState(false);
  const scale = scaleOf(arms);
  const shown = all ? arms : arms.slice(0, ROWS);
  return (
    <Section id="race" title="May I stop?">
      <p class="lead">{unbroken(sentences.stop)}</p>
      {verdict.evidence !== null && verdict.needed !== null && (
        <div class="towards">
          <EvidenceBar evidence={verdict.evidence} needed={verdict.needed} />
          <p class="note">
            Evidence {Math.max(0, verdict.evidence).toFixed(1)} of {verdict.needed.toFixed(1)}, against {verdict.rival}. Evidence is not a
            probability: at the line, the answer is wrong in at most {formatPercent(error)} of such races, however often you look.
          </p>
        </div>
      )}
      {arms.length > 0 && (
        <>
          {sentences.compared !== "" && <p class="note">{unbroken(sentences.compared)}</p>}
          <Scroller label="What each arm costs, and who is in the race">
            <table class="race">
              <thead>
                <tr>
                  <th scope="col">arm</th>
                  <th
                    scope="col"
                    class="words"
                  >{`cost, ${formatNumber(scale.low)} to ${formatNumber(scale.high)}${unit === "" ? "" : ` ${unit}`}`}</th>
                  <th scope="col" class="words">
                    race
                  </th>
                  <th scope="col" class="words">
                    evidence against it
                  </th>
                  <th scope="col">{formatPercent(1 - error)} range</th>
                  <th scope="col">mean</th>
                  <th scope="col">{evaluation.source === "holdout" ? "plays of the holdout" : "plays"}</th>
                  <th scope="col">missing</th>
                </tr>
              </thead>
              <tbody>
                {shown.map((arm) => (
                  <tr key={arm.arm} class={arm.race === "out" ? "out" : undefined}>
                    <th scope="row">
                      <div class="swatched">
                        <Swatch style={drawn.get(arm.arm) ?? OTHERS} />
                        <span>{arm.arm}</span>
                      </div>
                    </th>
                    <td class="words">
                      <RangeBar arm={arm} scale={scale} />
                    </td>
                    <td class="words">{arm.race === null ? "not compared" : WORDS[arm.race]}</td>
                    <td class="words">
                      {arm.evidence !== null && verdict.needed !== null && (
                        <span class="amount">
                          <EvidenceBar evidence={arm.evidence} needed={verdict.needed} /> {Math.max(0, arm.evidence).toFixed(1)}
                        </span>
                      )}
                    </td>
                    <td>{`${formatNumber(arm.range.low)} to ${formatNumber(arm.range.high)}`}</td>
                    <td>{arm.mean === null ? "–" : formatNumber(arm.mean)}</td>
                    <td>{formatCount(arm.answered + arm.missing)}</td>
                    <td>{formatCount(arm.missing)}</td>
                  </tr>
                ))}
              </tbody>
            </table>
          </Scroller>
          {arms.some(({ ifMissingAlike }) => ifMissingAlike !== null) && (
            <p class="note">
              The fainter part of a bar is there because feedback is missing; the stronger part is the range if the missing were like the rest.
            </p>
          )}
          {arms.length > ROWS && (
            <p>
              <button type="button" onClick={() => setAll(!all)}>
                {all ? `Show the first ${ROWS}` : `Show all ${formatCount(arms.length)}`}
              </button>
            </p>
          )}
        </>
      )}
    </Section>
  );
}
