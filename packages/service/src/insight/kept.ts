const GROWTH = 1.01;
const MS = 5_000;

/** A result that is expensive to make, kept until the log has grown by 1 % or, if it has grown at all, 5 s have passed. */
export class Kept<Value> {
  #made: { readonly key: string; readonly seq: number; readonly at: number; readonly value: Promise<Value> } | undefined;

  get(key: string, seq: number, now: number, make: () => Promise<Value>): Promise<Value> {
    const made = this.#made;
    if (made?.key === key && (seq === made.seq || (seq < GROWTH * made.seq && now - made.at < MS))) return made.value;
    const value = make();
    this.#made = { key, seq, at: now, value };
    return value;
  }
}
