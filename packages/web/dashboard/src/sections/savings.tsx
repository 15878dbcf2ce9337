import type { Evaluation, History } from "@tsallis/service/client";
import type { ComponentChildren } from "preact";
import { formatCount, formatNumber, formatPercent } from "tsallis/statistics";
import { Scroller } from "../../../common/scroller.js";
import { unbroken } from "../../../common/unbroken.js";
import { Estimate } from "./estimate.js";
import { Section } from "./section.js";

interface Props {
  readonly evaluation: Evaluation;
  readonly medians: History["medians"];
}

export function Savings({ evaluation, medians }: Props) {
  const { policy, uniform, saved, savedBy, sentences, error } = evaluation;
  return (
    <Section id="savings" title="What does it save?">
      <p class="lead">{unbroken(sentences.saved || sentences.stop)}</p>
      {policy === null && sentences.cap !== "" && <p class="note">{unbroken(sentences.cap)}</p>}
      {policy !== null && (
        <>
          <Scroller label="What uniform play and the policy cost">
            <table>
              <thead>
                <tr>
                  <th scope="col">Cost per decision</th>
                  <th scope="col">median, lately</th>
                  <th scope="col">mean, capped</th>
                  <th scope="col">{formatPercent(1 - error)} range, whenever you look</th>
                </tr>
              </thead>
              <tbody>
                <Row
                  name={savedBy === "holdout" ? "Uniform play (the holdout)" : "Uniform play"}
                  median={medians.holdout?.median ?? null}
                  mean={null}
                  range={uniform}
                />
                <Row name="Policy" median={medians.policy?.median ?? null} mean={policy.mean} range={policy.range} />
                <Row name="Saved" median={medians.difference} mean={null} range={saved} />
              </tbody>
            </table>
          </Scroller>
          <p class="note">
            {`Counted: ${formatCount(evaluation.decisions)} decisions; ${formatCount(evaluation.unsettled)} more wait, for their outcome or for that of an older one. `}
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
  readonly median: History["medians"]["difference"];
  readonly mean: number | null;
  readonly range: Evaluation["saved"];
}

function Row({ name, median, mean, range }: RowProps): ComponentChildren {
  return (
    <tr>
      <th scope="row">{name}</th>
      <td>
        <Estimate value={median} />
      </td>
      <td>{mean === null ? "–" : formatNumber(mean)}</td>
      <td>{range === null ? "–" : `${formatNumber(range.low)} to ${formatNumber(range.high)}`}</td>
    </tr>
  );
}
