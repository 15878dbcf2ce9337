/**
 * Phases that grow geometrically: the first has length 1, the next ceil(growth * length). With growth 1.6 the lengths are
 * 1, 2, 4, 7, 12, 20, 32, 52, ... Returns the index, from 0, of the phase that a round lies in.
 */
export function growingPhases(growth: number): (round: number) => number {
  // A cache of the last rounds of the phases asked for so far; no answer depends on it.
  const ends = [1];
  let length = 1;
  return (round) => {
    while (ends[ends.length - 1]! < round) {
      length = Math.ceil(growth * length);
      ends.push(ends[ends.length - 1]! + length);
    }
    let low = 0;
    let high = ends.length - 1;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (ends[middle]! < round) low = middle + 1;
      else high = middle;
    }
    return low;
  };
}
