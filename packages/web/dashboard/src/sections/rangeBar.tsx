import type { Evaluation } from "@tsallis/service/client";

type Arm = Evaluation["arms"][number];

export interface Scale {
  readonly low: number;
  readonly high: number;
}

/** Beyond so many times the largest mean a range only says that little is known. */
const MOST_MEANS = 3;

/** What the bars of all arms are drawn on: all ranges, but for those that reach far beyond every mean. */
export function scaleOf(arms: readonly Arm[]): Scale {
  const least = Math.min(...arms.map(({ range }) => range.low));
  const most = Math.max(...arms.map(({ range }) => range.high));
  const means = arms.flatMap(({ mean }) => (mean === null ? [] : [mean]));
  if (means.length === 0) return { low: least, high: most };
  const [lowest, highest] = [Math.min(...means), Math.max(...means)];
  const reach = MOST_MEANS * Math.max(Math.abs(lowest), Math.abs(highest));
  return { low: Math.max(least, Math.min(lowest, -reach)), high: Math.min(most, Math.max(highest, reach)) };
}

/** A range on a scale: lighter where it only comes from missing feedback, with a line at the mean, and with an arrow where it goes on beyond the scale. */
export function RangeBar({ arm: { range, ifMissingAlike, mean }, scale }: { readonly arm: Arm; readonly scale: Scale }) {
  const at = (value: number) => (100 * (Math.min(scale.high, Math.max(scale.low, value)) - scale.low)) / (scale.high - scale.low || 1);
  const inner = ifMissingAlike ?? range;
  const width = (low: number, high: number) => Math.max(0.5, at(high) - at(low));
  return (
    <span class="range-bar">
      <svg viewBox="0 0 100 10" preserveAspectRatio="none" aria-hidden="true">
        <rect class="track" y="4.5" width="100" height="1" />
        <rect class="outer" x={at(range.low)} y="1" width={width(range.low, range.high)} height="8" />
        <rect class="inner" x={at(inner.low)} y="1" width={width(inner.low, inner.high)} height="8" />
        {mean !== null && <rect class="mean" x={Math.min(99, at(mean))} width="1" height="10" />}
      </svg>
      {range.high > scale.high && (
        <span class="beyond" aria-hidden="true">
          ›
        </span>
      )}
    </span>
  );
}
