import type { Evaluation, History } from "@tsallis/service/client";
import { formatCount, formatNumber, formatPercent } from "tsallis/statistics";
import { Scroller } from "../../../common/scroller.js";
import { unbroken } from "../../../common/unbroken.js";
import { Estimate } from "./estimate.js";
import { Section } from "./section.js";

interface Props {
  readonly evaluation: Evaluation;
  readonly medians: History["medians"];
  readonly unit: string;
}

export function Savings({ evaluation, medians, unit }: Props) {
  const { policy, uniform, saved, savedBy, sentences, error, cap } = evaluation;
  const most = `${formatNumber(cap ?? 0).replace(/\.0+$/, "")}${unit === "" ? "" : ` ${unit}`}`;
  return (
    <Section id="savings" title="What does it save?">
      <p class="lead">{unbroken(sentences.saved)}</p>
      {policy === null && sentences.cap !== "" && <p class="note">{unbroken(sentences.cap)}</p>}
      {policy !== null && (
        <>
          <Scroller label="What uniform play and the policy cost">
            <table>
              <thead>
                <tr>
                  <th scope="col">Cost, counting at most {unbroken(most)} each</th>
                  <th scope="col">{formatPercent(1 - error)} range, whenever you look</th>
                  <th scope="col">median, lately</th>
                </tr>
              </thead>
              <tbody>
                <Row name={savedBy === "holdout" ? "Uniform play (the holdout)" : "Uniform play"} range={uniform} median={medians.holdout?.median} />
                <Row name="Policy" range={policy.range} median={medians.policy?.median} />
                <Row name="Saved" range={saved} median={medians.difference} />
              </tbody>
            </table>
          </Scroller>
          <p class="note">
            {`Counted: ${formatCount(evaluation.decisions)} decisions; ${formatCount(evaluation.unsettled)} more ${evaluation.segment === undefined ? "" : "of all segments "}wait, for their outcome or for that of an older one. `}
            {unbroken(sentences.cap)} {unbroken(sentences.missing)}
            {medians.policy !== null && " The medians are of the last outcomes, with 95 % intervals for one look."}
          </p>
        </>
      )}
    </Section>
  );
}

interface RowProps {
  readonly name: string;
  readonly range: Evaluation["saved"];
  readonly median: History["medians"]["difference"] | undefined;
}

function Row({ name, range, median = null }: RowProps) {
  return (
    <tr>
      <th scope="row">{name}</th>
      <td>{range === null ? "–" : `${formatNumber(range.low)} to ${formatNumber(range.high)}`}</td>
      <td>
        <Estimate value={median} />
      </td>
    </tr>
  );
}
