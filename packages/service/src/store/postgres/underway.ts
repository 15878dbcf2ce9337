/** Counts what is under way, so that the end can wait for it: a pool that is ended forgets the calls that wait for a connection. */
export class Underway {
  readonly #refuse: () => Error;
  #count = 0;
  #over: (() => void) | undefined;
  #end: Promise<void> | undefined;

  constructor(refuse: () => Error) {
    this.#refuse = refuse;
  }

  async during<T>(work: () => Promise<T>): Promise<T> {
    if (this.#end !== undefined) throw this.#refuse();
    this.#count++;
    try {
      return await work();
    } finally {
      this.#count--;
      if (this.#count === 0) this.#over?.();
    }
  }

  /** Takes nothing more, waits for what is under way, then calls `last` once. */
  end(last: () => Promise<void>): Promise<void> {
    this.#end ??= new Promise<void>((resolve) => {
      this.#over = resolve;
      if (this.#count === 0) resolve();
    }).then(last);
    return this.#end;
  }
}
