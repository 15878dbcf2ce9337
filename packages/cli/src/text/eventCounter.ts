const FIRST_AFTER_MS = 2000;
const EVERY_MS = 200;

/** Shows on stderr how many events were looked at: after two seconds, and only on a terminal. */
export class EventCounter {
  readonly #first = performance.now() + FIRST_AFTER_MS;
  #next = this.#first;
  #done = "";

  show(events: number, done = "audited"): void {
    const now = performance.now();
    // What is done next may take long before it is told of again.
    if (!process.stderr.isTTY || now < (done === this.#done ? this.#next : this.#first)) return;
    this.#next = now + EVERY_MS;
    this.#done = done;
    process.stderr.write(`\r\u001b[K${events.toLocaleString("en")} events ${done}`);
  }

  /** Wipes the line. */
  stop(): void {
    if (this.#done !== "") process.stderr.write("\r\u001b[K");
  }
}
