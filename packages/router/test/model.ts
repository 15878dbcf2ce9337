import { type Choice, createPolicy, type Policy, type PolicySpec, stream, type Xoshiro128 } from "tsallis";
import { FailureRate } from "../src/model/failureRate.js";
import { Latency } from "../src/model/latency.js";

/** A request of the model. */
export interface ModelRequest {
  readonly arm: number;
  readonly probability: number;
  readonly started: number;
  readonly choice: Choice;
  readonly load: number;
  readonly factor: number;
  /** The seconds that such a request usually takes, and whether eight or more answers of its upstream were missing. */
  readonly usual: number;
  readonly wasSilent: boolean;
  /** How many requests were sent there before. */
  readonly sent: number;
  told: boolean;
}

/**
 * What the router should do with a policy that has known costs, written plainly and without upstreams that come and go: the policy is told ahead what load and failures cost,
 * one request in 200 goes anywhere, and what is learned is freed of the load. An upstream of which answers are missing looks slower: each wait since its last answer, divided by what such a request usually takes, is one.
 */
export class Model {
  readonly policy: Policy;
  readonly latencies: Latency[];
  /** What load does at any upstream, from latencies relative to the upstream's own mean at rest. */
  readonly peers = new Latency();
  readonly failures: FailureRate[];
  readonly inFlight: number[];
  readonly sent: number[];
  readonly succeeded: number[];
  /** By upstream: when it answered last, the number of the newest request that it has answered, and all requests that were open since then, with their ends. */
  readonly answeredAt: number[];
  readonly newest: number[];
  readonly waits: { readonly from: number; to: number | null; readonly usual: number }[][];
  readonly #waitOf = new Map<ModelRequest, { to: number | null }>();
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
    this.latencies = each(() => new Latency());
    this.failures = each(() => new FailureRate());
    this.inFlight = each(() => 0);
    this.sent = each(() => 0);
    this.succeeded = each(() => 0);
    this.answeredAt = each(() => Number.NEGATIVE_INFINITY);
    this.newest = each(() => -1);
    this.waits = each(() => []);
  }

  /** A latency relative to the level that the first sixteen have set. */
  #relative(seconds: number): number {
    if (this.#level.count < 16) this.#level.mean += (Math.log(Math.max(seconds, 1e-6)) - this.#level.mean) / ++this.#level.count;
    return seconds / Math.exp(this.#level.mean);
  }

  #factor(arm: number): number {
    const doubt = Math.max(0, 1 - this.succeeded.reduce((sum, each) => sum + each, 0) / 1000);
    return this.options.inSeconds ? this.latencies[arm]!.factor(this.inFlight[arm]!, this.peers, doubt) : 1;
  }

  #usual(arm: number): number {
    if (!this.options.inSeconds) return 0;
    const means = this.latencies.map(({ rest }) => (rest.count > 0 ? rest.mean : null));
    const known = means.filter((mean) => mean !== null);
    return (means[arm] ?? (known.length > 0 ? Math.min(...known) : 0)) * Math.exp(this.#level.mean) * this.#factor(arm);
  }

  #missing(arm: number, now: number): number {
    const since = this.answeredAt[arm]!;
    return this.waits[arm]!.reduce((sum, { from, to, usual }) => sum + (usual > 0 ? Math.max(0, (to ?? now) - Math.max(from, since)) / usual : 0), 0);
  }

  ahead(now: number): number[] {
    return Array.from({ length: this.arms }, (_, arm) => {
      const usual = this.#usual(arm);
      const excess = Math.max(0, this.#missing(arm, now) / 8 - 1);
      return this.options.penalty * this.failures[arm]!.rate(this.inFlight[arm]!) + usual * (1 - 1 / this.#factor(arm)) + usual * excess;
    });
  }

  /** While the policy's probabilities are equal although something is known ahead, it has no scale: those that cost more than the least are left out, the most costly ones first, and at most half. */
  #costly(now: number): number[] {
    const ahead = this.ahead(now);
    const probabilities = this.policy.probabilities(ahead)!;
    if (!probabilities.every((x) => x === probabilities[0])) return [];
    const costly = [...ahead.keys()].filter((arm) => ahead[arm]! > Math.min(...ahead));
    return costly.sort((a, b) => ahead[b]! - ahead[a]!).slice(0, Math.min(Math.max(1, Math.floor(this.arms / 2)), this.arms - 1));
  }

  probabilities(now: number): number[] {
    const costly = this.#costly(now);
    const probabilities = Array.from(this.policy.probabilities(this.ahead(now))!, (x, arm) => (costly.includes(arm) ? 0 : x));
    const sum = costly.length === 0 ? 1 : probabilities.reduce((a, b) => a + b);
    return probabilities.map((x) => (1 - 1 / 200) * (x / sum) + 1 / 200 / this.arms);
  }

  choose(started = 0): ModelRequest {
    const [probabilities, ahead, costly] = [this.probabilities(started), this.ahead(started), this.#costly(started)];
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
      usual: this.#usual(arm),
      wasSilent: this.#missing(arm, started) > 8,
      sent: this.sent[arm]!,
      told: false,
    };
    this.inFlight[arm]!++;
    this.sent[arm]!++;
    const wait = { from: started, to: null, usual: request.usual };
    this.waits[arm]!.push(wait);
    this.#waitOf.set(request, wait);
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

  done(request: ModelRequest, loss: number, now: number): void {
    const { arm, choice, load, factor, sent, told } = request;
    this.#end(request, false, now);
    this.succeeded[arm]!++;
    this.answeredAt[arm] = now;
    this.newest[arm] = Math.max(this.newest[arm]!, sent);
    if (!told) this.policy.update(choice, loss / factor);
    if (!this.options.inSeconds) return;
    const latency = this.#relative(loss);
    this.latencies[arm]!.observe(load, latency, factor);
    const { count, mean } = this.latencies[arm]!.rest;
    if (count >= 8) this.peers.observe(load, latency / mean, 1);
  }

  /** A request that has failed after it had waited longer than usual, while a later one was answered and none was missing, was at least that slow. */
  failed(request: ModelRequest, now: number): void {
    const { arm, started, load, usual, wasSilent, sent } = request;
    if (this.options.inSeconds && now - started > usual && !wasSilent && this.newest[arm]! > sent) {
      const latency = this.#relative(now - started);
      this.latencies[arm]!.observeAtLeast(load, latency);
      const { count, mean } = this.latencies[arm]!.rest;
      if (count >= 8) this.peers.observeAtLeast(load, latency / mean);
    }
    this.#end(request, true, now);
  }

  #end(request: ModelRequest, isFailure: boolean, now: number): void {
    const { arm, load, sent } = request;
    this.inFlight[arm]!--;
    this.#waitOf.get(request)!.to = now;
    this.failures[arm]!.observe(isFailure, load, sent);
  }
}
