/** "; did you mean htinf?" for the known name that is nearest to the given one; nothing if none is near. */
export function didYouMean(given: string, known: readonly string[]): string {
  const wanted = given.toLowerCase();
  let [nearest, least] = ["", Math.max(1, Math.floor(wanted.length / 3)) + 1];
  for (const name of known) {
    const isStart = wanted.length >= 3 && name.startsWith(wanted);
    const distance = isStart ? 1 : edits(wanted, name.toLowerCase());
    if (distance < least) [nearest, least] = [name, distance];
  }
  return nearest === "" ? "" : `; did you mean ${nearest}?`;
}

/** The number of letters to add, drop or replace, or of neighbours to swap, to get from one word to the other: the optimal string alignment distance. */
function edits(a: string, b: string): number {
  // A word from outside may be long; one so much longer than every name is near to none.
  if (Math.abs(a.length - b.length) > b.length) return Infinity;
  let [twoBefore, before] = [[] as number[], Array.from({ length: b.length + 1 }, (_, j) => j)];
  for (let i = 1; i <= a.length; i++) {
    const here = [i];
    for (let j = 1; j <= b.length; j++) {
      const replaced = before[j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1);
      const swapped = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1] ? twoBefore[j - 2]! + 1 : Infinity;
      here.push(Math.min(replaced, swapped, before[j]! + 1, here[j - 1]! + 1));
    }
    [twoBefore, before] = [before, here];
  }
  return before[b.length]!;
}
