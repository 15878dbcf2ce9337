import type { SeriesStyle } from "./seriesStyle.js";
import { Swatch } from "./swatch.js";

interface LegendEntry {
  readonly name: string;
  readonly style: SeriesStyle;
  readonly value: string;
  /** What a chart has at the end of the series where there is room for it. */
  readonly more?: string;
}

interface Props {
  /** What the values are of, such as a time. */
  readonly at: string;
  readonly entries: readonly LegendEntry[];
  readonly lines?: boolean;
}

/** The names of a chart's series, each with its value at the point that is looked at. */
export function Legend({ at, entries, lines = false }: Props) {
  return (
    <ul class="legend">
      <li class="at">{at}</li>
      {entries.map(({ name, style, value, more }) => (
        <li class="item" key={name}>
          <Swatch style={style} line={lines} />
          <span class="name">{name}</span> <span class="at">{value}</span>
          {more && <span class="more">{more}</span>}
        </li>
      ))}
    </ul>
  );
}
