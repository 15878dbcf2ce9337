import { Heap } from "./heap.js";

/** Numbers split by size into small and large ones. A number that moves to the other side is always the one nearest to the border. */
export class SizeSplit {
  /** The keys are minus the sizes, so that the largest is on top. */
  readonly #small = new Heap();
  readonly #large = new Heap();

  get largeCount(): number {
    return this.#large.size;
  }

  /** -Infinity if there is none. */
  get largestSmall(): number {
    return -this.#small.topKey;
  }

  /** Infinity if there is none. */
  get smallestLarge(): number {
    return this.#large.topKey;
  }

  addSmall(x: number): void {
    this.#small.push(-Math.abs(x), x);
  }

  addLarge(x: number): void {
    this.#large.push(Math.abs(x), x);
  }

  /** Makes the smallest of the large ones small. */
  lower(): number {
    const x = this.#large.pop();
    this.addSmall(x);
    return x;
  }

  /** Makes the largest of the small ones large. */
  raise(): number {
    const x = this.#small.pop();
    this.addLarge(x);
    return x;
  }
}
