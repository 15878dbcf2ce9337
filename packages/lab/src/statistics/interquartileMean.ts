import type { Resamples } from "./resamples.js";

/** The mean of the middle half of the values of all columns together: a quarter of them, rounded down, is left out on either side. */
export function interquartileMean(columns: readonly Float64Array[]): number {
  const sorted = Float64Array.from(columns.flatMap((values) => [...values])).sort();
  const cut = Math.floor(sorted.length / 4);
  let sum = 0;
  for (let i = cut; i < sorted.length - cut; i++) sum += sorted[i]!;
  return sum / (sorted.length - 2 * cut);
}

/** The same in each resample of the places in a column, which are drawn alike for all columns. Values are sorted once: a resample says how often each counts. */
export function interquartileMeans(columns: readonly Float64Array[], { size, count, indices }: Resamples): Float64Array {
  const sorted = columns.flatMap((values) => Array.from(values, (value, place) => ({ value, place }))).sort((a, b) => a.value - b.value);
  const values = Float64Array.from(sorted, ({ value }) => value);
  const places = Uint32Array.from(sorted, ({ place }) => place);
  const cut = Math.floor(values.length / 4);
  const end = values.length - cut;
  const times = new Uint32Array(size);
  const found = new Float64Array(count);
  let resample = 0;
  for (const piece of indices()) {
    for (let begin = 0; begin < piece.length; begin += size) {
      times.fill(0);
      for (let i = begin; i < begin + size; i++) times[piece[i]!]!++;
      let [sum, before, i] = [0, 0, 0];
      while (before + times[places[i]!]! <= cut) before += times[places[i++]!]!;
      // A value that does not occur adds nothing. To ask for each whether it does would take twice as long.
      for (; before < end; i++) {
        const next = before + times[places[i]!]!;
        sum += (Math.min(next, end) - Math.max(before, cut)) * values[i]!;
        before = next;
      }
      found[resample++] = sum / (end - cut);
    }
  }
  return found;
}
