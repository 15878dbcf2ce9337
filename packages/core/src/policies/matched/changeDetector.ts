import { LARGEST_LOSS } from "../../largestLoss.js";
import type { Rearrangement } from "../base/rearrangement.js";
import { requireCounts, requireNumbers } from "../base/snapshotState.js";

/** An arm's first losses are its cuts; they divide the line into CUTS + 1 bins. */
const CUTS = 15;
const BINS = CUTS + 1;
/**
 * Bets on large ranks: the share of the stake, and the rank above which it pays. Three shares for each of four ranks, so that a slight rise of all losses and a strong
 * rise of few are both found. Chosen among six grids by the median number of losses from a change to the alarm, in eight pairs of distributions.
 */
const BETS = [0.5, 0.7, 0.85, 0.95].flatMap((above) => [0.1, 0.3, 0.7].map((share) => ({ above, share })));
/** Stakes stay below this: winnings beyond it are given away. */
const LARGEST_STAKE = 1e100;

/**
 * Evidence that the losses of an arm have risen, without any assumption on their distribution. For each arm it bets against the hypothesis that its losses are
 * exchangeable: that every order of them is equally likely, as for independent losses of one distribution.
 *
 * Ranks. The first 15 losses are sorted and kept as cuts; the bin of a later loss is the number of cuts below it. With n losses binned before, its rank is
 *
 *     p = (number of them in lower bins + u (number in the same bin + 1)) / (n + 1),      u uniform on [0, 1).
 *
 * *If the losses are exchangeable, and the u independent of them and of each other, then the ranks are independent and uniform on [0, 1), whatever the distribution, ties
 * included.* Proof. Given the first 15 losses, the others are still exchangeable, and so are their bins b_1, b_2, ..., since the cuts are now fixed. Look at p_n given the
 * multiset of b_1, ..., b_n, and all later bins and u's. By exchangeability b_n is each of the n elements with equal probability, so it is bin b with probability k_b / n if k_b
 * of them are in b, and p_n is then uniform on an interval of that length: from l_b / n to (l_b + k_b) / n, with l_b elements in lower bins. These intervals tile [0, 1), so p_n
 * is uniform. The later ranks p_(n+1), p_(n+2), ... are functions of what was given, so p_n is independent of them; by induction all are independent. The cuts themselves
 * are not counted: they lie on the borders of their own bins, and counting them would be wrong.
 *
 * Bets. A bet multiplies its stake by 1 - s + s 1{p > a} / (1 - a), which is 1 on average. Before the n-th rank, g_n is paid in: m <- (m + g_n) bet, and all g_n sum to 1, so
 * that a late change finds fresh stakes. The evidence M_n is the mean of the twelve stakes. M_n + (g_(n+1) + g_(n+2) + ...) is a non-negative martingale that begins at 1, so by Ville's
 * inequality the evidence of an arm with exchangeable losses ever reaches c with probability at most 1 / c.
 *
 * The method is that of conformal test martingales (Vovk, Gammerman and Shafer, "Algorithmic learning in a random world", 2005); bins make the memory constant.
 */
export class ChangeDetector {
  /** Losses since the last restart, cuts included. */
  readonly #heard: Float64Array;
  readonly #cuts: Float64Array;
  readonly #binned: Float64Array;
  readonly #stakes: Float64Array;

  constructor(readonly arms: number) {
    this.#heard = new Float64Array(arms);
    this.#cuts = new Float64Array(arms * CUTS);
    this.#binned = new Float64Array(arms * BINS);
    this.#stakes = new Float64Array(arms * BETS.length);
  }

  /** Takes in a loss, and bets on its rank unless it becomes a cut. Returns the rank, or null if it became a cut. */
  observe(arm: number, loss: number, u: number): number | null {
    const heard = this.#heard[arm]!++;
    if (heard < CUTS) {
      this.#cut(arm, loss, heard);
      return null;
    }
    const rank = this.#binnedRank(arm, loss, u, heard - CUTS);
    this.#binned[arm * BINS + this.#below(arm, loss, CUTS)]!++;
    this.#bet(arm, rank, payment(heard - CUTS + 1));
    return rank;
  }

  #cut(arm: number, loss: number, heard: number): void {
    const cuts = this.#cuts.subarray(arm * CUTS, arm * CUTS + heard + 1);
    const place = this.#below(arm, loss, heard);
    cuts.copyWithin(place + 1, place, heard);
    cuts[place] = loss;
  }

  #binnedRank(arm: number, loss: number, u: number, binned: number): number {
    const first = arm * BINS;
    const bin = this.#below(arm, loss, CUTS);
    let lower = 0;
    for (let i = 0; i < bin; i++) lower += this.#binned[first + i]!;
    return (lower + u * (this.#binned[first + bin]! + 1)) / (binned + 1);
  }

  /** Where a loss ranks among the earlier ones of its arm, without taking it in: among the cuts, until as many losses are binned. 1/2 on average if the arm has not changed. */
  rank(arm: number, loss: number, u: number): number {
    const heard = this.#heard[arm]!;
    if (heard >= 2 * CUTS) return this.#binnedRank(arm, loss, u, heard - CUTS);
    const cuts = Math.min(heard, CUTS);
    const lower = this.#below(arm, loss, cuts);
    let same = 0;
    while (lower + same < cuts && this.#cuts[arm * CUTS + lower + same] === loss) same++;
    return (lower + u * (same + 1)) / (cuts + 1);
  }

  /** The number of an arm's first cuts that are below a loss. */
  #below(arm: number, loss: number, cuts: number): number {
    const first = arm * CUTS;
    let below = 0;
    while (below < cuts && this.#cuts[first + below]! < loss) below++;
    return below;
  }

  #bet(arm: number, rank: number, paid: number): void {
    const [first, stakes] = [arm * BETS.length, this.#stakes];
    for (let i = 0; i < BETS.length; i++) {
      const { above, share } = BETS[i]!;
      const gain = rank > above ? share / (1 - above) : 0;
      stakes[first + i] = Math.min((stakes[first + i]! + paid) * (1 - share + gain), LARGEST_STAKE);
    }
  }

  /** The evidence that an arm's losses have risen since its last restart: at least c, ever, with probability at most 1 / c if they have not changed. */
  evidence(arm: number): number {
    const first = arm * BETS.length;
    let sum = 0;
    for (let i = 0; i < BETS.length; i++) sum += this.#stakes[first + i]!;
    return sum / BETS.length;
  }

  /** Whether every larger loss of the arm would have the same rank, given the same u. */
  isSettled(arm: number, loss: number): boolean {
    return this.#heard[arm]! >= CUTS && this.#below(arm, loss, CUTS) === CUTS;
  }

  /** Forgets an arm: its next losses are cuts again. */
  restart(arm: number): void {
    this.#heard[arm] = 0;
    for (const [values, each] of this.#tables()) values.fill(0, arm * each, (arm + 1) * each);
  }

  #tables(): [Float64Array, number][] {
    return [
      [this.#cuts, CUTS],
      [this.#binned, BINS],
      [this.#stakes, BETS.length],
    ];
  }

  /** Takes over, into a fresh detector, what another knows of the arms that are kept. */
  resume(old: ChangeDetector, from: Rearrangement): void {
    const theirs = old.#tables();
    for (const [arm, before] of from.entries()) {
      if (before === null) continue;
      this.#heard[arm] = old.#heard[before]!;
      for (const [i, [values, each]] of this.#tables().entries()) values.set(theirs[i]![0].subarray(before * each, (before + 1) * each), arm * each);
    }
  }

  state(): Record<string, unknown> {
    return { heard: [...this.#heard], cuts: [...this.#cuts], binned: [...this.#binned], stakes: [...this.#stakes] };
  }

  /** Restores the whole state or, with ERR_SNAPSHOT, none of it. */
  load({ heard, cuts, binned, stakes }: Readonly<Record<string, unknown>>): void {
    requireCounts(heard, "state.heard", this.arms);
    requireNumbers(cuts, "state.cuts", this.#cuts.length, LARGEST_LOSS);
    requireCounts(binned, "state.binned", this.#binned.length);
    requireNumbers(stakes, "state.stakes", this.#stakes.length, LARGEST_STAKE, 0);
    this.#heard.set(heard);
    this.#cuts.set(cuts);
    this.#binned.set(binned);
    this.#stakes.set(stakes);
  }
}

/** g_n = 1 / (2^j (j + 1) (j + 2)) for n from 2^j to 2^(j + 1) - 1: these 2^j sum to 1 / (j + 1) - 1 / (j + 2), and all of them to 1. Nothing is left for n from 2^31 on. */
function payment(n: number): number {
  if (n >= 2147483648) return 0;
  const j = 31 - Math.clz32(n);
  return 1 / ((1 << j) * (j + 1) * (j + 2));
}
