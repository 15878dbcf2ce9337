/** The requests in flight, by the time at which their answer comes: a binary heap (Williams 1964). Equal times come out in any order. */
export class AnswerQueue {
  readonly #times: number[] = [];
  readonly #requests: number[] = [];

  /** When the next answer comes; Infinity if nothing is in flight. */
  get next(): number {
    return this.#times.length === 0 ? Infinity : this.#times[0]!;
  }

  push(time: number, request: number): void {
    let at = this.#times.length;
    this.#times.push(time);
    this.#requests.push(request);
    while (at > 0) {
      const parent = (at - 1) >> 1;
      if (this.#times[parent]! <= time) break;
      this.#move(parent, at);
      at = parent;
    }
    this.#put(at, time, request);
  }

  /** Takes out the request whose answer comes next. */
  pop(): number {
    const first = this.#requests[0]!;
    const time = this.#times.pop()!;
    const request = this.#requests.pop()!;
    const size = this.#times.length;
    if (size === 0) return first;
    let at = 0;
    for (;;) {
      let child = 2 * at + 1;
      if (child >= size) break;
      if (child + 1 < size && this.#times[child + 1]! < this.#times[child]!) child++;
      if (this.#times[child]! >= time) break;
      this.#move(child, at);
      at = child;
    }
    this.#put(at, time, request);
    return first;
  }

  #move(from: number, to: number): void {
    this.#put(to, this.#times[from]!, this.#requests[from]!);
  }

  #put(at: number, time: number, request: number): void {
    this.#times[at] = time;
    this.#requests[at] = request;
  }
}
