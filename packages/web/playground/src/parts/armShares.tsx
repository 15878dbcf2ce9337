import { Scroller } from "../../../common/scroller.js";
import { seriesStyle } from "../../../common/seriesStyle.js";
import { Swatch } from "../../../common/swatch.js";
import type { RaceView } from "../engine/engine.js";
import type { Lit } from "./regretChart.js";

export interface ShownArm {
  readonly name: string;
  readonly note: string;
  readonly best: boolean;
}

interface Props {
  readonly view: RaceView;
  readonly arms: readonly ShownArm[];
  /** The run whose shares are shown; those of all runs if there is none. */
  readonly lit: Lit | null;
}

/** How often each policy has played each arm, over all its runs. */
export function ArmShares({ view, arms, lit }: Props) {
  const { policies, seeds } = view.race;
  const whose = lit !== null ? `, seed ${lit.seed + 1}` : seeds > 1 ? `, all ${seeds} runs` : "";
  return (
    <Scroller label="Share of the rounds on each arm">
      <table class="shares">
        <thead>
          <tr>
            <th scope="col">share of rounds{whose}</th>
            {arms.map(({ name, note, best }) => (
              <th scope="col" key={name} class={best ? "best" : undefined}>
                {name}
                <br />
                <small>{note}</small>
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {policies.map(({ label }, policy) => {
            const runs = lit !== null ? [view.plays[policy]![lit.seed]!] : view.plays[policy]!;
            const rounds = runs.reduce((total, plays) => total + plays.reduce((sum, count) => sum + count, 0), 0) || 1;
            return (
              <tr key={label}>
                <th scope="row">
                  <span class="swatched">
                    <Swatch style={seriesStyle(policy)} line />
                    {label}
                  </span>
                </th>
                {arms.map(({ name, best }, arm) => {
                  const share = runs.reduce((total, plays) => total + (plays[arm] ?? 0), 0) / rounds;
                  return (
                    <td key={name} class={best ? "best" : undefined}>
                      <span class="bar" aria-hidden="true" style={{ width: `${100 * share}%` }} />
                      {sharePercent(share)}
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

/** A share with one digit after the point, so that those of a column can be compared. */
export function sharePercent(share: number): string {
  return share > 0 && share < 0.0005 ? "< 0.1 %" : `${(100 * share).toFixed(1)} %`;
}
