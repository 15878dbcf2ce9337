/** The clock of the machine and one that only counts are read one after the other, and the clock is slewed: so far they may differ from one reading to the next. */
const TOLERANCE_MS = 1_000;

/**
 * The time, without jumps that do not last. A clock that jumps by two days for four seconds would end every open decision, for good. So after a jump the time goes
 * on as it was, for each bandit until the jump has lasted longer than the bandit's window, or somebody confirms it.
 */
export class SteadyClock {
  readonly #wall: () => number;
  readonly #monotonic: () => number;
  readonly #onJump: (ms: number) => void;
  /** The time minus what the counting clock says. */
  #offset: number;
  #jump: { readonly since: number; readonly offset: number } | null = null;

  constructor(wall: () => number, monotonic: () => number, onJump: (ms: number) => void = () => {}) {
    this.#wall = wall;
    this.#monotonic = monotonic;
    this.#onJump = onJump;
    this.#offset = wall() - monotonic();
  }

  /** Milliseconds since 1970, for a bandit with this window; without one, as the machine says. */
  now(windowMs = 0): number {
    const [wall, count] = [this.#wall(), this.#monotonic()];
    const offset = wall - count;
    if (Math.abs(offset - this.#offset) <= TOLERANCE_MS) {
      this.#offset = offset;
      this.#jump = null;
      return wall;
    }
    if (this.#jump === null || Math.abs(offset - this.#jump.offset) > TOLERANCE_MS) {
      this.#jump = { since: count, offset };
      this.#onJump(offset - this.#offset);
    }
    return count - this.#jump.since > windowMs ? wall : Math.round(count + this.#offset);
  }

  /** Takes the present time of the machine for right. Returns by how much it had jumped, in milliseconds. */
  confirm(): number {
    const offset = this.#wall() - this.#monotonic();
    const jumped = this.#jump === null ? 0 : offset - this.#offset;
    this.#offset = offset;
    this.#jump = null;
    return Math.round(jumped);
  }
}
