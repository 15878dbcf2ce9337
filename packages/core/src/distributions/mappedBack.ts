import { nextUp } from "../special/rank.js";

/**
 * The inverse of a rising map of values, exact at atoms. The formula alone is rounded: x - by for x = y + by may miss an atom y, or hit it from an x that is not its
 * image, and either error moves the whole probability of y. So an atom's image is mapped to the atom, and any other x that lands on an atom is moved just beside it.
 */
export function mappedBack(atoms: readonly number[], images: readonly number[], inverse: (x: number) => number): (x: number) => number {
  return (x) => {
    const image = images.indexOf(x);
    if (image >= 0) return atoms[image]!;
    const y = inverse(x);
    const hit = atoms.indexOf(y);
    if (hit < 0) return y;
    return x > images[hit]! ? nextUp(y) : -nextUp(-y);
  };
}
