// The scenarios on real sockets. They come from a review of the router by somebody who did not write it, with the rates, timeouts and counts of that review; none was
// chosen by its result.

/** After this many milliseconds a request has failed, and a failure counts as that many. */
export const SOCKET_TIMEOUT_MS = 3000;
/** Callers who give up do so after this many milliseconds. */
export const PATIENCE_MS = 40;

/** What an upstream does with a request that comes now: it answers well, or with an error at once, or never. */
export type Conduct = { readonly slower: number } | { readonly status: number; readonly retryAfter?: number } | "hangs";

/** What decides about the conduct of an upstream. */
export interface Moment {
  readonly upstream: number;
  /** Seconds since the start. */
  readonly second: number;
  /** How many requests came to this server before. */
  readonly earlier: number;
  /** Uniform in [0, 1), by request. */
  readonly luck: number;
}

export interface SocketScenario {
  readonly name: string;
  readonly description: string;
  /** The median time of an answer in milliseconds, by upstream; times are log-normal with a sigma of SIGMA. */
  readonly medians: readonly number[];
  /** The same for every tenth request, which goes to /slow; without it all requests are of one kind. */
  readonly slowMedians?: readonly number[];
  /** Requests per second, by all callers of a rule together. */
  readonly rate: number;
  readonly requests: number;
  /** Requests before this one are played, but not counted. */
  readonly countedFrom?: number;
  /** Whether each rule has servers of its own: where what one rule sends would change what another meets. */
  readonly own?: boolean;
  /** How many requests an upstream works on at a time, while the others wait in line. Without it none waits. */
  readonly workers?: number;
  /** How many requests an upstream lets in; any further one is answered with 503 at once. */
  readonly limit?: number;
  /** How many clients of each rule share the requests; they do not know of each other. */
  readonly clients?: number;
  /** The share of callers who give up after PATIENCE_MS. */
  readonly impatient?: number;
  /** Whether the router's option `route` separates the slow requests. */
  readonly named?: boolean;
  readonly conduct?: (moment: Moment) => Conduct;
  /** An upstream whose connections break, and which refuses new ones, for some seconds; by the times at which the requests are sent, in milliseconds. */
  readonly death?: (times: Float64Array) => { readonly upstream: number; readonly from: number; readonly to: number };
}

/** The standard deviation of the logarithm of an answer's time. */
export const SIGMA = 0.5;

const WELL: Conduct = { slower: 1 };
const FOUR = [50, 100, 150, 200];
const EQUAL = [200, 200, 200, 200];
const RATE = 45;
const SECONDS = 22;
/** What an upstream of EQUAL with four workers carries per second: the mean of a log-normal time is e^(sigma^2 / 2) times its median. */
const CARRIES = 4 / (0.2 * Math.exp(SIGMA ** 2 / 2));

/** Poisson arrivals for SECONDS seconds on average. */
function at(rate: number): { rate: number; requests: number } {
  return { rate, requests: Math.round(rate * SECONDS) };
}

/** A share of what four upstreams of EQUAL carry. */
function filled(share: number) {
  return { medians: EQUAL, workers: 4, own: true, ...at(share * 4 * CARRIES) };
}

/** Something that the first upstream, which is the best, does for some seconds. */
function best(from: number, to: number, conduct: Conduct): (moment: Moment) => Conduct {
  return ({ upstream, second }) => (upstream === 0 && second >= from && second < to ? conduct : WELL);
}

/** Something that all upstreams do for some seconds. */
function all(from: number, to: number, conduct: Conduct): (moment: Moment) => Conduct {
  return ({ second }) => (second >= from && second < to ? conduct : WELL);
}

const ROUTES = { medians: [75, 50, 100, 125], slowMedians: [400, 900, 950, 1000], ...at(RATE) };

export const SOCKET_SCENARIOS: readonly SocketScenario[] = [
  { name: "steady", description: "four upstreams of 50, 100, 150 and 200 ms", medians: FOUR, ...at(RATE) },
  {
    name: "dies",
    description: "the best of them dies after 6 s and is back after 13 s",
    medians: FOUR,
    ...at(RATE),
    death: () => ({ upstream: 0, from: 6, to: 13 }),
  },
  { name: "hangs", description: "the best hangs from 6 to 12 s", medians: FOUR, ...at(RATE), conduct: best(6, 12, "hangs") },
  {
    name: "degrades",
    description: "the best becomes 15 times as slow between 4 and 18 s",
    medians: FOUR,
    ...at(RATE),
    conduct: ({ upstream, second }) => (upstream === 0 ? { slower: 1 + (14 * Math.min(Math.max(second - 4, 0), 14)) / 14 } : WELL),
  },
  {
    name: "flaps",
    description: "the best answers 503 for 2 of every 4 s",
    medians: FOUR,
    ...at(RATE),
    conduct: ({ upstream, second }) => (upstream === 0 && second % 4 >= 2 ? { status: 503 } : WELL),
  },
  {
    name: "rate-limited",
    description: "the best answers 429 with Retry-After: 2 from 6 to 13 s",
    medians: FOUR,
    ...at(RATE),
    conduct: best(6, 13, { status: 429, retryAfter: 2 }),
  },
  {
    name: "fails-5",
    description: "the best answers 5 % of its requests with 503",
    medians: FOUR,
    ...at(RATE),
    conduct: ({ upstream, luck }) => (upstream === 0 && luck < 0.05 ? { status: 503 } : WELL),
  },
  { name: "all-slow", description: "all are five times as slow from 6 to 13 s", medians: FOUR, ...at(RATE), conduct: all(6, 13, { slower: 5 }) },
  { name: "all-down", description: "all answer 503 from 6 to 10 s", medians: FOUR, ...at(RATE), conduct: all(6, 10, { status: 503 }) },
  { name: "impatient", description: "30 % of the callers give up after 40 ms", medians: FOUR, impatient: 0.3, ...at(RATE) },
  { name: "slow-route", description: "every tenth request is slow, and where it is least slow others are better for the rest", ...ROUTES },
  { name: "slow-route-named", description: "the same, and the router has the option `route`", named: true, ...ROUTES },
  {
    name: "fifty",
    description: "fifty upstreams of 120 to 218 ms, one of them of 30",
    medians: Array.from({ length: 50 }, (_, i) => (i === 17 ? 30 : 120 + 2 * i)),
    ...at(RATE),
  },
  { name: "two", description: "two upstreams of 50 and 150 ms", medians: [50, 150], ...at(RATE) },
  { name: "one", description: "one upstream of 50 ms", medians: [50], ...at(RATE) },
  { name: "equal-60", description: "four equal upstreams of 200 ms with four workers each, at 60 % of what they carry", ...filled(0.6) },
  { name: "equal-85", description: "the same at 85 %", ...filled(0.85) },
  {
    name: "unequal",
    description: "four workers each, 130, 200, 300 and 400 ms, 42 requests per second",
    medians: [130, 200, 300, 400],
    workers: 4,
    own: true,
    ...at(42),
  },
  { name: "six-clients", description: "four equal upstreams at 75 %, and six clients of each rule", clients: 6, ...filled(0.75) },
  { name: "limit", description: "four equal upstreams at 80 %, which answer 503 beyond 8 requests in flight", limit: 8, ...filled(0.8) },
  {
    name: "retry-after",
    description:
      "the first answer of one upstream is 503 with Retry-After: 86400; the other one dies after 200 requests; the 200 requests after that",
    medians: [10, 10],
    own: true,
    rate: RATE,
    requests: 400,
    countedFrom: 200,
    conduct: ({ upstream, earlier }) => (upstream === 0 && earlier === 0 ? { status: 503, retryAfter: 86_400 } : WELL),
    death: (times) => ({ upstream: 1, from: times[200]! / 1000, to: Infinity }),
  },
];
