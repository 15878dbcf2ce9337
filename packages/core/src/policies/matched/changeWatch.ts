import { Noise } from "../../random/noise.js";
import type { Choice } from "../base/choice.js";
import type { Rearrangement } from "../base/rearrangement.js";
import { requireCounts, requireInteger, requireNumbers } from "../base/snapshotState.js";
import { ChangeDetector } from "./changeDetector.js";

// FEWEST to VAIN, and REMEMBERED in matchedTINF.ts, were chosen among about thirty variants on eight worlds of the experiment `suite`, seeds 101 to 138, and on thirteen worlds in which
// either levels move and gaps do not, or gaps move. Seeds 201 to 216 of the suite were looked at twice on the way. FEWEST, MOST and REMEMBERED are those of the prototype.
/** The arms of so many first rounds seed the uniforms of the ranks. */
const OPENING = 16;
/**
 * An inquiry hears at least FEWEST losses of the favourite and as many of the others. It ends as soon as the others' rise differs from half of the favourite's by SURE deviations,
 * and with MOST losses of the others in any case.
 */
const FEWEST = 8;
const MOST = 24;
const SURE = 2;
/** No inquiry is opened after round t if those that changed nothing have heard more than VAIN sqrt(t) losses of other arms: what asking in vain may cost. */
const VAIN = 0.5;

/** What is to be done after a loss. */
export type Finding = "nothing" | "ask" | "keep" | "forget";

/**
 * Watches whether the favourite, and it alone, has become worse. `detect` is the largest probability of a false alarm.
 *
 * Alarm. The favourite's losses have risen if its evidence (changeDetector.ts) reaches K e (e + 1) / detect, where e - 1 alarms came before. If the losses of each arm are
 * exchangeable, each of the K arms ever reaches the first threshold, 2 K / detect, with probability at most detect / (2 K): there is never an alarm, with probability at
 * least 1 - detect / 2. Later thresholds are higher, so that this holds for true changes too: the detector that starts over after alarm e - 1 raises a false alarm with
 * probability at most detect / (K e (e + 1)), and these sum to detect / (2 K).
 *
 * Inquiry. Where all arms rise together the favourite may still be the best. So an alarm asks: for a while half of the plays go to the favourite and half to the others. Each
 * loss is ranked among the earlier ones of its own arm; the mean rank minus 1/2 is a rise, which has one scale for all arms and distributions, and deviation 1 / sqrt(12 n) where
 * nothing has changed. If the others have risen by at least half as much as the favourite, nothing is changed; if not, what was learned is to be forgotten. Either way the
 * favourite's detector starts over. The losses of an inquiry are not taken into the detectors.
 *
 * The uniforms come from a counter-based generator, indexed by the number of losses heard. Its seed is the arms of the first 16 rounds. The policy's own generator drew them, and
 * those before the 8th loss uniformly, whatever the losses are. So no number is drawn that the policy would not draw anyway, and a replay that forces the same arms has
 * the same uniforms. Nothing is bet before an arm has had 16 losses.
 */
export class ChangeWatch {
  readonly #detector: ChangeDetector;
  #opening: readonly number[] = [];
  #noise: Noise | null = null;
  #feedbacks = 0;
  #alarms = 0;
  /** Losses of other arms in inquiries that changed nothing. */
  #vain = 0;
  /** The open inquiry: the round after which it was opened, or 0, its arm, and of that arm and the others, in turn, the losses since then and the sum of rank - 1/2 over them. */
  #asked = 0;
  #favourite = 0;
  readonly #tally = new Float64Array(4);

  constructor(
    readonly arms: number,
    readonly detect: number,
  ) {
    this.#detector = new ChangeDetector(arms);
  }

  get alarms(): number {
    return this.#alarms;
  }

  played(arm: number): void {
    if (this.#noise === null) this.#open([...this.#opening, arm]);
  }

  #open(opening: readonly number[]): void {
    this.#opening = opening;
    this.#noise = opening.length === OPENING ? new Noise(0, "detect", ...opening) : null;
  }

  /** Takes in a loss after `round` rounds; `favourite` finds the favourite of that moment, or -1. */
  observe(choice: Choice, loss: number, round: number, favourite: () => number): Finding {
    const { arm } = choice;
    this.#feedbacks++;
    const u = this.#noise === null ? 0 : this.#noise.at(this.#feedbacks, 0).uniform();
    if (this.#asked > 0) return choice.round > this.#asked ? this.#hear(arm, this.#detector.rank(arm, loss, u)) : "nothing";
    this.#detector.observe(arm, loss, u);
    const e = this.#alarms + 1;
    if (this.#detector.evidence(arm) * this.detect < this.arms * e * (e + 1)) return "nothing";
    if (this.#vain > VAIN * Math.sqrt(round) || favourite() !== arm) return "nothing";
    this.#alarms = e;
    this.#asked = round;
    this.#favourite = arm;
    this.#tally.fill(0);
    return "ask";
  }

  #hear(arm: number, rank: number): Finding {
    const tally = this.#tally;
    const place = arm === this.#favourite ? 0 : 2;
    tally[place]! += 1;
    tally[place + 1]! += rank - 0.5;
    const [losses, rise, others, othersRise] = tally as unknown as [number, number, number, number];
    if (losses < FEWEST || others < FEWEST) return "nothing";
    const excess = othersRise / others - rise / losses / 2;
    if (others < MOST && Math.abs(excess) * Math.sqrt(12 * others) < SURE) return "nothing";
    this.#asked = 0;
    this.#detector.restart(this.#favourite);
    if (excess < 0) return "forget";
    this.#vain += others;
    return "keep";
  }

  /** Whether every larger loss of the arm would count the same. */
  isSettled(arm: number, loss: number): boolean {
    return this.#detector.isSettled(arm, loss);
  }

  /** Takes over, into a fresh watch, what another knows of the arms that are kept. An open inquiry ends without an answer. */
  resume(old: ChangeWatch, from: Rearrangement): void {
    this.#detector.resume(old.#detector, from);
    this.#open(old.#opening);
    this.#feedbacks = old.#feedbacks;
    this.#alarms = old.#alarms;
    this.#vain = old.#vain;
  }

  state(): Record<string, unknown> {
    return {
      ...this.#detector.state(),
      opening: this.#opening,
      feedbacks: this.#feedbacks,
      alarms: this.#alarms,
      vain: this.#vain,
      asked: this.#asked,
      favourite: this.#favourite,
      tally: [...this.#tally],
    };
  }

  /** Restores the whole state or, with ERR_SNAPSHOT, none of it. */
  load(state: Readonly<Record<string, unknown>>, round: number): void {
    const { opening, feedbacks, alarms, vain, asked, favourite, tally } = state;
    requireCounts(opening, "state.opening", Array.isArray(opening) ? Math.min(opening.length, OPENING) : 0);
    requireInteger(feedbacks, "state.feedbacks", 0, Number.MAX_SAFE_INTEGER);
    requireInteger(alarms, "state.alarms", 0, Number.MAX_SAFE_INTEGER);
    requireInteger(vain, "state.vain", 0, Number.MAX_SAFE_INTEGER);
    requireInteger(asked, "state.asked", 0, round);
    requireInteger(favourite, "state.favourite", 0, this.arms - 1);
    requireNumbers(tally, "state.tally", this.#tally.length, Number.MAX_SAFE_INTEGER);
    this.#detector.load(state);
    this.#open([...opening]);
    this.#feedbacks = feedbacks;
    this.#alarms = alarms;
    this.#vain = vain;
    this.#asked = asked;
    this.#favourite = favourite;
    this.#tally.set(tally);
  }
}
