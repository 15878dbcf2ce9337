import { formatPercent } from "tsallis/statistics";
import { Scroller } from "../../../common/scroller.js";
import { seriesStyle } from "../../../common/seriesStyle.js";
import { Swatch } from "../../../common/swatch.js";
import type { RaceView } from "../engine/engine.js";

interface Props {
  readonly view: RaceView;
  readonly labels: readonly string[];
  /** What each arm costs on average, for the heading. */
  readonly arms: readonly string[];
  /** The best arm; -1 if it changes. */
  readonly best: number;
}

/** How often each policy has played each arm, with its first seed. */
export function ArmShares({ view, labels, arms, best }: Props) {
  return (
    <Scroller label="Share of the rounds on each arm">
      <table class="shares">
        <thead>
          <tr>
            <th scope="col">share of its rounds on</th>
            {arms.map((name, arm) => (
              <th scope="col" key={name} class={arm === best ? "best" : undefined}>
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {labels.map((label, policy) => {
            const live = view.live[policy];
            const round = live?.round || 1;
            return (
              <tr key={label}>
                <th scope="row">
                  <span class="swatched">
                    <Swatch style={seriesStyle(policy)} line />
                    {label}
                  </span>
                </th>
                {arms.map((name, arm) => {
                  const share = (live?.plays[arm] ?? 0) / round;
                  return (
                    <td key={name} class={arm === best ? "best" : undefined}>
                      <span class="bar" aria-hidden="true" style={{ width: `${100 * share}%` }} />
                      <span class="value">{formatPercent(share)}</span>
                    </td>
                  );
                })}
              </tr>
            );
          })}
        </tbody>
      </table>
    </Scroller>
  );
}
