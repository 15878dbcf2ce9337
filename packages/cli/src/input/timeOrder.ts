/** An item with the time that it is ordered by. */
interface Entry<T> {
  readonly time: number;
  readonly place: number;
  readonly item: T;
}

/** Puts items into the order of their times, in bounded memory: the earliest of the `most` that wait comes out next. Equal times keep their order. */
export class TimeOrder<T> {
  /** A heap: no entry is before its parent, which is at half of its index. */
  readonly #heap: Entry<T>[] = [];
  #places = 0;
  #latest = -Infinity;
  /** The time of the last one that came out. */
  #released = -Infinity;
  /** How many came after one of a later time. */
  outOfOrder = 0;

  constructor(readonly most: number) {}

  /** Takes in an item. Returns the one whose turn has come, if one has; false, with nothing changed, if the turn of this one is over. */
  add(time: number, item: T): T | undefined | false {
    if (time < this.#released) return false;
    if (time < this.#latest) this.outOfOrder++;
    this.#latest = Math.max(this.#latest, time);
    this.#push({ time, place: this.#places++, item });
    return this.#heap.length > this.most ? this.#pop() : undefined;
  }

  /** Those that still wait, in order. */
  *rest(): Generator<T> {
    while (this.#heap.length > 0) yield this.#pop();
  }

  #push(entry: Entry<T>): void {
    const heap = this.#heap;
    let at = heap.push(entry) - 1;
    while (at > 0) {
      const parent = (at - 1) >> 1;
      if (!isBefore(entry, heap[parent]!)) break;
      heap[at] = heap[parent]!;
      at = parent;
    }
    heap[at] = entry;
  }

  #pop(): T {
    const heap = this.#heap;
    const first = heap[0]!;
    const last = heap.pop()!;
    if (heap.length > 0) {
      let at = 0;
      for (let child = 1; child < heap.length; child = 2 * at + 1) {
        if (child + 1 < heap.length && isBefore(heap[child + 1]!, heap[child]!)) child++;
        if (!isBefore(heap[child]!, last)) break;
        heap[at] = heap[child]!;
        at = child;
      }
      heap[at] = last;
    }
    this.#released = first.time;
    return first.item;
  }
}

function isBefore(a: Entry<unknown>, b: Entry<unknown>): boolean {
  return a.time < b.time || (a.time === b.time && a.place < b.place);
}
