import type { History } from "@tsallis/service/client";
import { formatCount, formatNumber } from "tsallis/statistics";
import { Scroller } from "../../../common/scroller.js";
import { unbroken } from "../../../common/unbroken.js";
import { Estimate } from "./estimate.js";
import { Section } from "./section.js";

export function Savings({ savings }: { readonly savings: History["savings"] }) {
  const { policy, holdout, median, truncatedMean, truncatedAt, sentence } = savings;
  const sides = [
    ["Holdout, drawn evenly", holdout],
    ["Policy", policy],
  ] as const;
  return (
    <Section id="savings" title="What does it save?">
      <p class="lead">{unbroken(sentence)}</p>
      {policy !== null && holdout !== null && (
        <>
          <Scroller label="Losses of the holdout and of the policy">
            <table>
              <thead>
                <tr>
                  <th scope="col">Loss per decision</th>
                  <th scope="col">answered</th>
                  <th scope="col">median</th>
                  <th scope="col">truncated mean</th>
                </tr>
              </thead>
              <tbody>
                {sides.map(([name, side]) => (
                  <tr key={name}>
                    <th scope="row">{name}</th>
                    <td>{formatCount(side!.answered)}</td>
                    <td>
                      <Estimate value={side!.median} />
                    </td>
                    <td>
                      <Estimate value={side!.truncatedMean} />
                    </td>
                  </tr>
                ))}
                <tr>
                  <th scope="row">Saved</th>
                  <td />
                  <td>
                    <Estimate value={median} />
                  </td>
                  <td>
                    <Estimate value={truncatedMean} />
                  </td>
                </tr>
              </tbody>
            </table>
          </Scroller>
          <p class="note">
            In brackets: 95 % intervals.
            {truncatedAt !== null &&
              truncatedAt > 0 &&
              ` The truncated mean counts every loss of a larger size as ${formatNumber(truncatedAt)}: a few huge losses would move a plain mean.`}
          </p>
        </>
      )}
    </Section>
  );
}
