import { Scroller } from "../../../common/scroller.js";
import { seriesStyle } from "../../../common/seriesStyle.js";
import { Swatch } from "../../../common/swatch.js";
import type { RaceView } from "../engine/engine.js";

interface Props {
  readonly view: RaceView;
  readonly labels: readonly string[];
}

/** How steep the medians are on logarithmic axes over the last factor of ten of the rounds. */
export function Slopes({ view, labels }: Props) {
  const until = (end: number) => view.checkpoints.filter((round) => round <= end).length - 1;
  const last = until(view.round);
  const first = until(view.checkpoints[last]! / 10);
  return (
    <Scroller label="Slope over the last factor of ten">
      <table class="slopes">
        <thead>
          <tr>
            <th scope="col">slope</th>
            {labels.map((label, policy) => (
              <th scope="col" key={label}>
                <span class="swatched">
                  <Swatch style={seriesStyle(policy)} line />
                  {label}
                </span>
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          <tr>
            <th scope="row">over the last factor of ten</th>
            {labels.map((label, policy) => (
              <td key={label}>{slope(view, view.tapes[policy]!.median, first, last)}</td>
            ))}
          </tr>
        </tbody>
      </table>
    </Scroller>
  );
}

function slope({ checkpoints }: RaceView, median: readonly (number | null)[], first: number, last: number): string {
  const [low, high] = [median[first], median[last]];
  if (!low || !high || !(low > 0 && high > 0)) return "–";
  return (Math.log(high / low) / Math.log(checkpoints[last]! / checkpoints[first]!)).toFixed(2);
}
