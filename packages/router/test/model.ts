import { type Choice, createPolicy, type Policy, type PolicySpec, stream, type Xoshiro128 } from "tsallis";
import { FailureRate } from "../src/model/failureRate.js";
import { LoadCurve } from "../src/model/loadCurve.js";
import { RestMean } from "../src/model/restMean.js";

/** A request of the model. */
export interface ModelRequest {
  readonly arm: number;
  readonly probability: number;
  readonly started: number;
  readonly choice: Choice;
  readonly load: number;
  readonly factor: number;
  /** How many requests were sent there before. */
  readonly sent: number;
  told: boolean;
}

/**
 * What the router should do with a policy that has known costs, written plainly and without upstreams that come and go: the policy is told ahead what load and failures cost,
 * one request in 200 goes anywhere, and what is learned is freed of the load.
 */
export class Model {
  readonly policy: Policy;
  readonly curves: LoadCurve[];
  /** What load does at any upstream, from latencies relative to the upstream's own mean at rest. */
  readonly peers = new LoadCurve();
  readonly rest: RestMean[];
  readonly failures: FailureRate[];
  readonly inFlight: number[];
  readonly sent: number[];
  readonly succeeded: number[];
  told = 0;
  readonly #rng: Xoshiro128;
  readonly #level = { count: 0, mean: 0 };

  constructor(
    spec: PolicySpec,
    readonly arms: number,
    seed: number,
    readonly options: { readonly inSeconds: boolean; readonly penalty: number },
  ) {
    this.policy = createPolicy(spec, arms);
    this.#rng = stream(seed, "router");
    const each = <T>(make: () => T) => Array.from({ length: arms }, make);
    this.curves = each(() => new LoadCurve());
    this.rest = each(() => new RestMean());
    this.failures = each(() => new FailureRate());
    this.inFlight = each(() => 0);
    this.sent = each(() => 0);
    this.succeeded = each(() => 0);
  }

  /** A latency relative to the level that the first sixteen have set. */
  #relative(seconds: number): number {
    if (this.#level.count < 16) this.#level.mean += (Math.log(Math.max(seconds, 1e-6)) - this.#level.mean) / ++this.#level.count;
    return seconds / Math.exp(this.#level.mean);
  }

  #factor(arm: number): number {
    return this.options.inSeconds
      ? this.curves[arm]!.factor(this.inFlight[arm]!, this.peers, Math.max(0, 1 - this.succeeded.reduce((sum, each) => sum + each, 0) / 1000))
      : 1;
  }

  ahead(): number[] {
    const means = this.rest.map(({ count, mean }) => (count > 0 ? mean : null));
    const known = means.filter((mean) => mean !== null);
    const least = known.length > 0 ? Math.min(...known) : 0;
    return means.map((mean, arm) => this.options.penalty * this.failures[arm]!.rate(this.inFlight[arm]!) + (mean ?? least) * (this.#factor(arm) - 1));
  }

  /** While the policy's probabilities are equal although something is known ahead, it has no scale: those that cost more than the least are left out, the most costly ones first, and at most half. */
  #costly(): number[] {
    const ahead = this.ahead();
    const probabilities = this.policy.probabilities(ahead)!;
    if (!probabilities.every((x) => x === probabilities[0])) return [];
    const costly = [...ahead.keys()].filter((arm) => ahead[arm]! > Math.min(...ahead));
    return costly.sort((a, b) => ahead[b]! - ahead[a]!).slice(0, Math.min(Math.max(1, Math.floor(this.arms / 2)), this.arms - 1));
  }

  probabilities(): number[] {
    const costly = this.#costly();
    const probabilities = Array.from(this.policy.probabilities(this.ahead())!, (x, arm) => (costly.includes(arm) ? 0 : x));
    const sum = costly.length === 0 ? 1 : probabilities.reduce((a, b) => a + b);
    return probabilities.map((x) => (1 - 1 / 200) * (x / sum) + 1 / 200 / this.arms);
  }

  choose(started = 0): ModelRequest {
    const [probabilities, ahead, costly] = [this.probabilities(), this.ahead(), this.#costly()];
    const u = this.#rng.uniform();
    const choice =
      u < 1 / 200
        ? this.policy.force(Math.floor((u / (1 / 200)) * this.arms), undefined, ahead)
        : this.policy.choose(this.#rng, undefined, ahead, costly);
    const { arm } = choice;
    choice.probability = probabilities[arm]!;
    const request = {
      arm,
      probability: probabilities[arm]!,
      started,
      choice,
      load: this.inFlight[arm]!,
      factor: this.#factor(arm),
      sent: this.sent[arm]!,
      told: false,
    };
    this.inFlight[arm]!++;
    this.sent[arm]!++;
    return request;
  }

  /** Looks at a request that still waits: whether more waiting would teach the same. */
  look(request: ModelRequest, now: number): void {
    if (now - request.started < 0.01) return;
    const waited = (now - request.started) / request.factor;
    if (request.told || !this.policy.isSettled!(request.choice, waited)) return;
    this.policy.update(request.choice, waited);
    request.told = true;
    this.told++;
  }

  done(request: ModelRequest, loss: number): void {
    const { arm, choice, load, factor, told } = request;
    this.#end(request, false);
    this.succeeded[arm]!++;
    if (!told) this.policy.update(choice, loss / factor);
    if (!this.options.inSeconds) return;
    this.rest[arm]!.observe(loss / factor);
    this.curves[arm]!.observe(load, this.#relative(loss));
    if (this.rest[arm]!.count >= 8) this.peers.observe(load, loss / this.rest[arm]!.mean);
  }

  failed(request: ModelRequest): void {
    this.#end(request, true);
  }

  #end({ arm, load, sent }: ModelRequest, isFailure: boolean): void {
    this.inFlight[arm]!--;
    this.failures[arm]!.observe(isFailure, load, sent);
  }
}
