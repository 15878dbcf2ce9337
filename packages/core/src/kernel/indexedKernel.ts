import { exp } from "../elementary/exp.js";
import { log } from "../elementary/log.js";
import { pow } from "../elementary/pow.js";
import { POWERS_OF_TWO } from "../elementary/powersOfTwo.js";
import { show, TsallisError } from "../errors.js";
import { requireRecord } from "../parameters.js";
import type { Rng } from "../random/rng.js";
import { Band, ORDER } from "./band.js";
import { DenseKernel } from "./denseKernel.js";
import { addEstimate, requireEstimates } from "./estimate.js";
import type { Kernel, KernelSnapshot } from "./kernel.js";
import { power, snapExponent } from "./power.js";
import { requireBlock } from "./requireBlock.js";
import { aloneSpread } from "./spread.js";
import { Start } from "./start.js";
import { toNumbers } from "./toNumbers.js";

/** The relative error that truncating its series may cause in a band's sum. */
const SERIES_ERROR = 1e-13;
/** As in the dense kernel: once |S - 1| is below this times G, the last step is taken by expansion. */
const SMALL_EXCESS = 1e-7;
/** After this many steps a dense search takes over. A predicted start needs one or two. */
const MOST_STEPS = 12;
/** How far nu may be from the origin, in units of the smallest gap. A gap then loses at most 12 of its 53 bits. */
const FARTHEST = 4096;

/**
 * The kernel for many arms: a round costs the same with a thousand arms as with a million. docs/kernel.md derives it.
 *
 * Arms are kept in bands of equal weight up to a factor of 4. A band keeps its power sums around its own centre, so the sum of its
 * weights at any nu near that centre is a short series, however many members it has: Newton runs over bands, not arms. A band
 * whose centre has fallen too far behind is summed afresh, which also removes rounding drift. To draw an arm, a band is drawn, and
 * then members of it, uniformly, until one is accepted with its weight relative to the largest that the band allows. This is exact.
 */
export class IndexedKernel implements Kernel {
  readonly #exponent: number;
  /** ln(high / low) of every band. */
  readonly #width: number;
  /** In units of a band's low: how far nu may be from its centre, and how far a member may stray beyond its edges. */
  readonly #reach: number;
  readonly #slack: number;
  /** Coefficients of (1 - y)^(-q), and for each degree of the series the largest |y| for which it suffices. */
  readonly #coefficients = new Float64Array(ORDER + 2);
  readonly #radii = new Float64Array(ORDER + 1);

  readonly #losses: Float64Array;
  readonly #bandOf: Int32Array;
  readonly #places: Int32Array;
  readonly #bands = new Map<number, Band>();
  /** The bands that have members, by rising index. Empty while no arm is in a band: at the start, and after a restore without bands. */
  readonly #active: Band[] = [];
  /** The origin of nu and the centres: the smallest estimate at the last rebuild. Next to estimates of 1e20, nu itself would have no digits left. */
  #origin = 0;
  readonly #start = new Start();

  /** The current solution: h (0 when there is none), nu - origin, G, the sum of the weights, and (h / low)^q of the first band. */
  #inverseRate = 0;
  #root = 0.5;
  #slope = 0.5;
  #total = 0.5;
  #scale = 0.5;

  constructor(
    readonly arms: number,
    exponent: number,
  ) {
    const q = snapExponent(exponent);
    const b = this.#coefficients;
    b[0] = 1;
    for (let j = 1; j < b.length; j++) b[j] = (b[j - 1]! * (q + j - 1)) / j;
    for (let j = 0; j <= ORDER; j++) this.#radii[j] = pow(SERIES_ERROR / b[j + 1]!, 1 / (j + 1));
    this.#exponent = q;
    this.#width = (2 * Math.LN2) / q;
    this.#reach = Math.min(0.2 / q, this.#radii[ORDER]!);
    this.#slack = this.#reach / 2;
    this.#losses = new Float64Array(arms);
    this.#bandOf = new Int32Array(arms);
    this.#places = new Int32Array(arms);
  }

  probabilities(inverseRate: number): Float64Array {
    return this.#dense().probabilities(inverseRate);
  }

  #dense(): DenseKernel {
    const dense = new DenseKernel(this.arms, this.#exponent);
    dense.restore(toNumbers(this.#losses), undefined);
    return dense;
  }

  solve(inverseRate: number): void {
    if (this.#inverseRate === inverseRate) return;
    this.#inverseRate = inverseRate;
    if (this.#active.length === 0 || !this.#search()) this.#rebuild();
  }

  /** Newton over the bands, from the predicted root. False if it does not settle, meets a gap that is not positive, or ends far from the origin. */
  #search(): boolean {
    const q = this.#exponent;
    const inverseRate = this.#inverseRate;
    this.#root = this.#start.root - (inverseRate - this.#start.inverseRate) / this.#start.slope;
    for (let step = 1; step <= MOST_STEPS; step++) {
      if (!this.#recentre()) return false;
      this.#evaluate();
      const excess = this.#total - 1;
      // The step in z is that of the dense kernel; nu falls by h times it.
      const change = (-inverseRate * this.#total * excess) / (this.#slope * (q + ((q - 1) / 2) * excess));
      this.#root += change;
      // G is at most 1 at the solution, but not at a nu that is too close to an estimate.
      if (Math.abs(excess) <= SMALL_EXCESS * Math.min(this.#slope, 1)) {
        this.#expand(change);
        return Math.abs(this.#root) <= FARTHEST * this.#active[0]!.low;
      }
    }
    return false;
  }

  /** Sums afresh every band whose centre is out of reach of nu, or whose moments are worn. */
  #recentre(): boolean {
    const active = this.#active;
    for (let i = 0; i < active.length; ) {
      const band = active[i]!;
      if (this.#reaches(band) && !band.worn) i++;
      else if (this.#refresh(band)) i = 0;
      else return false;
    }
    return true;
  }

  #reaches(band: Band): boolean {
    return Math.abs(this.#root - band.centre) <= this.#reach * band.low;
  }

  /** Sets a band's centre to nu and sums its moments; members that no longer belong to it move to their band. */
  #refresh(band: Band): boolean {
    const losses = this.#losses;
    const origin = this.#origin;
    const { members, size } = band;
    band.clear(this.#root);
    band.size = 0;
    // Runs of equal estimates, such as those of arms without feedback, are placed and summed as one.
    let estimate = Number.NaN;
    let run = 0;
    let target = band;
    for (let n = 0; n < size; n++) {
      const arm = members[n]!;
      const loss = losses[arm]! - origin;
      if (loss !== estimate) {
        if (run > 0) target.count(estimate, this.#exponent, run);
        const gap = loss - this.#root;
        if (!(gap > 0)) return false;
        if (!(gap >= target.low && gap < target.high)) target = gap >= band.low && gap < band.high ? band : this.#activate(this.#indexOf(gap));
        estimate = loss;
        run = 0;
      }
      this.#place(arm, target);
      run++;
    }
    if (run > 0) target.count(estimate, this.#exponent, run);
    band.changes = 0;
    if (band.size === 0) this.#deactivate(band);
    return true;
  }

  #place(arm: number, band: Band): void {
    this.#bandOf[arm] = band.index;
    this.#places[arm] = band.push(arm);
  }

  #indexOf(gap: number): number {
    const index = Math.floor(log(gap) / this.#width);
    // The quotient may round to the wrong side of an edge.
    return this.#edge(index) > gap ? index - 1 : this.#edge(index + 1) <= gap ? index + 1 : index;
  }

  #edge(index: number): number {
    return exp(index * this.#width);
  }

  #activate(index: number): Band {
    let band = this.#bands.get(index);
    if (band === undefined) {
      band = new Band(index, this.#edge(index), this.#edge(index + 1));
      band.clear(this.#root);
      this.#bands.set(index, band);
      let at = this.#active.length;
      while (at > 0 && this.#active[at - 1]!.index > index) at--;
      this.#active.splice(at, 0, band);
    }
    return band;
  }

  #deactivate(band: Band): void {
    this.#active.splice(this.#active.indexOf(band), 1);
    this.#bands.delete(band.index);
  }

  /** Evaluates the series of every band at nu. The weights of band k are 4^(k0 - k) times its own, where k0 is the first band. */
  #evaluate(): void {
    const root = this.#root;
    const active = this.#active;
    const b = this.#coefficients;
    const radii = this.#radii;
    const head = active[0]!;
    let total = 0;
    let slope = 0;
    for (let i = 0; i < active.length; i++) {
      const band = active[i]!;
      const m = band.moments;
      const y = (root - band.centre) / band.low;
      const size = Math.abs(y);
      let j = 3;
      while (j < ORDER && size > radii[j]!) j++;
      // Horner's scheme, with the expansion around y to second order.
      let value = b[j]! * m[j + 1]!;
      let first = 0;
      let second = 0;
      while (--j >= 0) {
        second = second * y + first;
        first = first * y + value;
        value = value * y + b[j]! * m[j + 1]!;
      }
      band.value = value;
      band.first = first;
      band.second = second;
      const share = quarters(band.index - head.index);
      total += share * value;
      slope += (share * first) / band.low;
    }
    this.#scale = power(this.#inverseRate / head.low, this.#exponent);
    this.#total = this.#scale * total;
    this.#slope = (this.#scale * slope * this.#inverseRate) / this.#exponent;
  }

  /** Updates the bands' values for a small change of nu. */
  #expand(change: number): void {
    const active = this.#active;
    const head = active[0]!.index;
    let total = 0;
    for (let i = 0; i < active.length; i++) {
      const band = active[i]!;
      const y = change / band.low;
      band.value += y * (band.first + y * band.second);
      total += quarters(band.index - head) * band.value;
    }
    this.#total = this.#scale * total;
  }

  /** Solves densely and puts all arms into bands around the solution. */
  #rebuild(): void {
    const losses = this.#losses;
    const dense = this.#dense();
    dense.solve(this.#inverseRate);
    let best = 0;
    for (let arm = 1; arm < this.arms; arm++) if (losses[arm]! < losses[best]!) best = arm;
    const origin = losses[best]!;
    this.#start.root += this.#origin - origin;
    this.#origin = origin;
    this.#root = -dense.gap(best);
    this.#scatter();
    let band: Band | undefined;
    let estimate = Number.NaN;
    for (let arm = 0; arm < this.arms; arm++) {
      const loss = losses[arm]! - origin;
      if (loss !== estimate) band = this.#activate(this.#indexOf(loss - this.#root));
      estimate = loss;
      this.#place(arm, band!);
    }
    for (const each of [...this.#active]) this.#refresh(each);
    this.#evaluate();
  }

  sample(u: number, rng: Rng): number {
    const band = this.#bandAt(u);
    const losses = this.#losses;
    const q = this.#exponent;
    const smallest = band.least - (this.#root - band.centre);
    for (;;) {
      const arm = band.members[Math.floor(rng.uniform() * band.size)]!;
      const ratio = smallest / (losses[arm]! - this.#origin - this.#root);
      if (rng.uniform() < (q === 2 ? ratio * ratio : power(ratio, q))) return arm;
    }
  }

  #bandAt(u: number): Band {
    const active = this.#active;
    const head = active[0]!.index;
    const last = active.length - 1;
    let rest = (u * this.#total) / this.#scale;
    let band = active[0]!;
    for (let i = 0; i <= last; i++) {
      const share = quarters(active[i]!.index - head) * active[i]!.value;
      // Rounding can leave the target beyond the sum; the last band with any weight then takes it.
      if (share === 0) break;
      band = active[i]!;
      rest -= share;
      if (rest < 0) break;
    }
    return band;
  }

  probability(arm: number): number {
    // Rounding may make the sum over bands smaller than its one large term.
    return Math.min(1, power(this.#inverseRate / this.gap(arm), this.#exponent) / this.#total);
  }

  gap(arm: number): number {
    return this.#losses[arm]! - this.#origin - this.#root;
  }

  spread(): number {
    const q = this.#exponent;
    const active = this.#active;
    const head = active[0]!;
    // Only an arm that is alone in its band can have nearly all the probability.
    const alone = head.size === 1;
    let sum = 0;
    let rest = 0;
    for (let i = alone ? 1 : 0; i < active.length; i++) {
      const band = active[i]!;
      const weight = this.#scale * quarters(band.index - head.index) * band.value;
      sum += power(this.#inverseRate / band.low, q - 1) * this.#flatSum(band) - weight;
      rest += weight;
    }
    return alone ? sum + aloneSpread(this.#inverseRate / this.gap(head.members[0]!), rest, q) : sum;
  }

  /** The sum of a band's (low / g_i)^(q - 1) at nu, by its series. The coefficients of (1 - y)^(1 - q) are the differences of those of (1 - y)^(-q). */
  #flatSum({ moments, centre, low }: Band): number {
    const b = this.#coefficients;
    const y = (this.#root - centre) / low;
    let sum = 0;
    for (let j = ORDER + 1; j >= 1; j--) sum = (sum + (b[j]! - b[j - 1]!) * moments[j]!) * y;
    return sum + moments[0]!;
  }

  commit(): void {
    this.#start.set(this.#root, this.#slope, this.#inverseRate);
    this.#inverseRate = 0;
  }

  add(arm: number, amount: number): void {
    this.#move(arm, addEstimate(arm, this.#losses[arm]!, amount));
  }

  /** Sets an estimate. */
  #move(arm: number, loss: number): void {
    const q = this.#exponent;
    const before = this.#losses[arm]! - this.#origin;
    const after = loss - this.#origin;
    this.#losses[arm] = loss;
    this.#inverseRate = 0;
    if (this.#active.length === 0) return;
    this.#start.follow(before, after, q);
    const band = this.#bands.get(this.#bandOf[arm]!)!;
    const gamma = after - band.centre;
    if (gamma >= band.low * (1 - this.#slack) && gamma <= band.high * (1 + this.#slack)) {
      band.replace(before, after, q);
      return;
    }
    band.count(before, q, -1);
    const place = this.#places[arm]!;
    const moved = band.pull(place);
    if (moved !== undefined) this.#places[moved] = place;
    if (band.size === 0) this.#deactivate(band);
    this.#root = this.#start.root;
    const gap = after - this.#root;
    // A band can keep moments only of members that are inside it as seen from its centre.
    if (!(gap > 0) || (!this.#reaches(this.#activate(this.#indexOf(gap))) && !this.#recentre())) {
      this.#scatter();
      return;
    }
    const target = this.#activate(this.#indexOf(gap));
    this.#place(arm, target);
    target.count(after, q, 1);
  }

  addAll(amounts: Float64Array): void {
    for (let arm = 0; arm < this.arms; arm++) if (amounts[arm] !== 0) this.add(arm, amounts[arm]!);
  }

  limit(ceiling: number, own?: Float64Array): void {
    const losses = this.#losses;
    let least = losses[0]!;
    for (let arm = 1; arm < this.arms; arm++) if (losses[arm]! < least) least = losses[arm]!;
    for (let arm = 0; arm < this.arms; arm++) {
      const most = least + (own === undefined ? ceiling : Math.min(ceiling, own[arm]!));
      if (losses[arm]! > most) this.#move(arm, most);
    }
  }

  shiftInto(target: DenseKernel, amounts: Float64Array): void {
    target.assign(this.#losses, amounts);
  }

  /** Discards the bands; the next solve rebuilds them. */
  #scatter(): void {
    this.#bands.clear();
    this.#active.length = 0;
  }

  reset(): void {
    this.#losses.fill(0);
    this.#origin = 0;
    this.#start.reset();
    this.#scatter();
    this.#inverseRate = 0;
  }

  losses(): number[] {
    return toNumbers(this.#losses);
  }

  snapshot(): KernelSnapshot {
    const bands = this.#active.map(({ index, centre, moments, members, size, peak, changes, least }) => ({
      index,
      centre,
      moments: Array.from(moments),
      members: Array.from(members.subarray(0, size)),
      peak,
      changes,
      least,
    }));
    return { name: "indexed", origin: this.#origin, ...this.#start.snapshot(), bands };
  }

  restore(losses: unknown, block: unknown): void {
    requireEstimates(losses, this.arms);
    const given = requireBlock(block);
    this.reset();
    this.#losses.set(losses);
    if (given.name !== "indexed") return;
    this.#start.restore(given);
    if (!Number.isFinite(given.origin)) throw broken("kernel.origin", given.origin, "a finite number");
    this.#origin = given.origin as number;
    if (!Array.isArray(given.bands)) throw broken("kernel.bands", given.bands, "a list");
    if (given.bands.length > 0) this.#restoreBands(given.bands);
  }

  #restoreBands(bands: readonly unknown[]): void {
    this.#places.fill(-1);
    let count = 0;
    for (const [i, value] of bands.entries()) {
      const path = `kernel.bands[${i}]`;
      const { index, centre, moments, members, peak, changes, least } = requireRecord(value, path);
      const isList = (list: unknown, accept: (item: number) => boolean): list is number[] => Array.isArray(list) && list.every(accept);
      if (
        !(
          Number.isSafeInteger(index) &&
          !this.#bands.has(index as number) &&
          Number.isFinite(centre) &&
          Number.isFinite(peak) &&
          Number.isSafeInteger(changes)
        )
      ) {
        throw broken(path, value, "a band with an index of its own, a finite centre and peak, and a count of changes");
      }
      if (!(isList(moments, Number.isFinite) && moments.length === ORDER + 2)) throw broken(`${path}.moments`, moments, `${ORDER + 2} numbers`);
      const band = this.#activate(index as number);
      // A member was inside as seen from a nu within reach of the centre. The factor 1.01 leaves room for rounding.
      const room = 1.01 * this.#reach;
      const isInside = (gamma: number) => gamma >= band.low * (1 - room) && gamma <= band.high * (1 + room);
      const inside = (arm: number) => isInside(this.#losses[arm]! - this.#origin - (centre as number));
      if (!(isList(members, (arm) => Number.isInteger(arm) && arm >= 0 && arm < this.arms && inside(arm)) && members.length > 0)) {
        throw broken(`${path}.members`, members, "arms whose estimates belong to the band");
      }
      if (!(typeof least === "number" && isInside(least))) throw broken(`${path}.least`, least, "a gap inside the band");
      for (const arm of members) {
        if (this.#places[arm] !== -1) throw broken(`${path}.members`, arm, "arms of no other band");
        this.#place(arm, band);
        count++;
      }
      band.centre = centre as number;
      band.moments.set(moments);
      band.peak = peak as number;
      band.changes = changes as number;
      band.least = least;
    }
    if (count !== this.arms) throw broken("kernel.bands", count, `bands that hold all ${this.arms} arms`);
  }
}

/** 4^-n. */
function quarters(n: number): number {
  return n < 537 ? POWERS_OF_TWO[1074 - 2 * n]! : 0;
}

function broken(name: string, value: unknown, wanted: string): TsallisError {
  return new TsallisError("ERR_SNAPSHOT", name, value, `${name} must be ${wanted}, got ${show(value)}`);
}
