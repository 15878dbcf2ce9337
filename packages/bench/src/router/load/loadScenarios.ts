// The scenarios in which latency depends on load, with failures, and with slow modes. They were written down from their sentences before any rule was run on
// them, and are not tuned to any rule; but those of the kind "overload" come from a search for worlds in which the router collapses. Times
// are in milliseconds, rates in requests per second.
import { type Distribution, logNormal, mixture, pareto, type Rng, weibull } from "tsallis";
import { TIMEOUT_MS } from "../worlds/scenarios.js";
import { type LoadUpstream, loadUpstream } from "./loadUpstream.js";
import { type CreateTraffic, closedLoop, openLoop } from "./traffic.js";

export interface LoadScenario {
  readonly name: string;
  readonly description: string;
  /** The scenarios of one kind can be played together. */
  readonly kind: "load" | "overload" | "failures" | "slow";
  readonly upstreams: readonly LoadUpstream[];
  /** How many routers take turns in sending. */
  readonly routers: number;
  /** The milliseconds after which a caller gives up, and the cost of a failure. */
  readonly timeout: number;
  /** How many times a caller who gave up sends the request again. */
  readonly retries: number;
  traffic(requests: number, rng: Rng): CreateTraffic;
}

const WORK_MS = 20;
const CORES = 8;
const REPLICAS = 4;
/** What one replica and four equal ones can carry. */
const REPLICA_CAPACITY = (CORES * 1000) / WORK_MS;
const CAPACITY = REPLICAS * REPLICA_CAPACITY;
/** How many requests a replica takes at a time in the scenarios where that is limited. */
const LIMIT = 16;
/** Where load does not matter. */
const IDLE_RATE = 100;

export const LOAD_SCENARIOS: readonly LoadScenario[] = [
  ...[30, 60, 85].map((percent) =>
    loaded(`equal-${percent}`, `four equal replicas at ${percent} % of what they can carry`, replicas({}), poisson((percent / 100) * CAPACITY)),
  ),
  ...[60, 85].map((percent) =>
    loaded(
      `first-come-${percent}`,
      `four equal replicas that serve first come, first served, at ${percent} %`,
      replicas({ discipline: "first come" }),
      poisson((percent / 100) * CAPACITY),
    ),
  ),
  loaded(
    "speeds",
    "four replicas with speeds 2 : 1 : 1 : 0.5 at 60 %",
    [2, 1, 1, 0.5].map((speed) => upstream({ cores: CORES, work: exponential(WORK_MS / speed) })),
    poisson((0.6 * CAPACITY * (2 + 1 + 1 + 0.5)) / REPLICAS),
  ),
  loaded(
    "near-far",
    "one near and small (5 ms away, 2 cores), one far and big (60 ms away, 64 cores), and twice what the near one can carry",
    [upstream({ cores: 2, roundTrip: 5 }), upstream({ cores: 64, roundTrip: 60 })],
    poisson((2 * 2 * 1000) / WORK_MS),
  ),
  loaded(
    "one-carries-all",
    "one that is big and fast (25 ms) could carry everything, beside three slower ones (45, 52 and 60 ms)",
    [upstream({ cores: 64, roundTrip: 5 }), ...[40, 47, 55].map((work) => upstream({ cores: CORES, roundTrip: 5, work: exponential(work) }))],
    poisson(400),
  ),
  loaded(
    "heavy-work",
    "four equal replicas at 60 %, and the work of a request is Pareto 1.5",
    replicas({ work: pareto({ shape: 1.5, scale: WORK_MS / 3 }) }),
    poisson(0.6 * CAPACITY),
  ),
  loaded("bursts", "four equal replicas at 30 %, and four times that for a quarter of every second", replicas({}), (requests, rng) =>
    openLoop(requests, rng, 1.2 * CAPACITY, (now) => (now % 1000 < 250 ? 1.2 : 0.3) * CAPACITY),
  ),
  // With answers after about 21 ms, 200 clients that think for 135 ms send 80 % of what the replicas can carry.
  loaded("closed-loop", "four equal replicas and 200 clients that each wait for an answer, at about 80 %", replicas({}), (requests, rng) =>
    closedLoop(requests, rng, 200, 135),
  ),
  {
    ...loaded(
      "eight-routers",
      "four equal replicas at 60 %, and eight routers that do not know of each other",
      replicas({}),
      poisson(0.6 * CAPACITY),
    ),
    routers: 8,
  },
  ...[60, 85].map((percent) =>
    overloaded(
      `limit-${percent}`,
      `four equal replicas at ${percent} % that answer with a failure after 1 ms when they have ${LIMIT} requests`,
      replicas({ limit: LIMIT }),
      poisson((percent / 100) * CAPACITY),
    ),
  ),
  overloaded(
    "limit-ten",
    `ten equal replicas at 80 % that answer with a failure after 1 ms when they have ${LIMIT} requests`,
    replicas({ limit: LIMIT }, 10),
    poisson(0.8 * 10 * REPLICA_CAPACITY),
  ),
  overloaded("twenty-85", "twenty equal replicas at 85 %", replicas({}, 20), poisson(0.85 * 20 * REPLICA_CAPACITY)),
  overloaded(
    "all-hang",
    "four equal replicas at 60 %, and all of them stand still for a second in the middle",
    replicas({ hangs: { from: 10_000, to: 11_000 } }),
    poisson(0.6 * CAPACITY),
  ),
  overloaded(
    "rare-failures",
    "four equal replicas at 85 %, and each fails 0.1 % of its requests",
    replicas({ fails: 0.001 }),
    poisson(0.85 * CAPACITY),
  ),
  {
    ...overloaded(
      "timeouts-retried",
      "four equal replicas at 80 %, and callers give up after 200 ms and send the request again, up to twice",
      replicas({}),
      poisson(0.8 * CAPACITY),
    ),
    timeout: 200,
    retries: 2,
  },
  ...[1, 5].map((percent) =>
    idle("failures", `fails-${percent}`, `of three, one is 20 ms faster than the others, and fails ${percent} % of its requests`, [
      { work: typical(30), fails: percent / 100 },
      { work: typical(50) },
      { work: typical(50) },
    ]),
  ),
  idle("failures", "429", "of three, one answers every request with a failure after 2 ms", [
    { work: typical(40), refuses: { from: 0, to: 1, after: 2 } },
    { work: typical(50) },
    { work: typical(60) },
  ]),
  idle("failures", "429-later", "of three, the best answers with a failure after 2 ms from a quarter of the run on", [
    { work: typical(40), refuses: { from: 0.25, to: 1, after: 2 } },
    { work: typical(50) },
    { work: typical(60) },
  ]),
  idle("failures", "down-and-back", "of four, the best refuses every request after 1 ms for a fifth of the run, and is back then", [
    { work: typical(40), refuses: { from: 0.4, to: 0.6, after: 1 } },
    ...[60, 70, 80].map((median) => ({ work: typical(median) })),
  ]),
  ...(
    [
      [5, 3],
      [10, 1],
      [2, 1],
    ] as const
  ).map(([percent, seconds]) =>
    idle("slow", `slow-${percent}-${seconds}s`, `one takes 10 ms, but ${seconds} s for ${percent} % of its requests, and one always takes 40 ms`, [
      { work: mixture({ weights: [1 - percent / 100, percent / 100], of: [typical(10), typical(1000 * seconds)] }) },
      { work: typical(40) },
    ]),
  ),
];

function loaded(name: string, description: string, upstreams: readonly LoadUpstream[], traffic: LoadScenario["traffic"]): LoadScenario {
  return { name, description, kind: "load", upstreams, routers: 1, timeout: TIMEOUT_MS, retries: 0, traffic };
}

/** A scenario under load in which it is only asked that nothing collapses. */
function overloaded(...scenario: Parameters<typeof loaded>): LoadScenario {
  return { ...loaded(...scenario), kind: "overload" };
}

/** A scenario in which load does not matter. */
function idle(kind: LoadScenario["kind"], name: string, description: string, upstreams: readonly Partial<LoadUpstream>[]): LoadScenario {
  const endless = upstreams.map((each) => upstream({ cores: Infinity, ...each }));
  return { name, description, kind, upstreams: endless, routers: 1, timeout: TIMEOUT_MS, retries: 0, traffic: poisson(IDLE_RATE) };
}

function replicas(options: Partial<LoadUpstream>, length = REPLICAS): LoadUpstream[] {
  return Array.from({ length }, () => upstream({ cores: CORES, ...options }));
}

function upstream(options: Partial<LoadUpstream>): LoadUpstream {
  return loadUpstream({ work: exponential(WORK_MS), ...options });
}

function poisson(rate: number): LoadScenario["traffic"] {
  return (requests, rng) => openLoop(requests, rng, rate);
}

function exponential(mean: number): Distribution {
  return weibull({ shape: 1, scale: mean });
}

function typical(median: number): ReturnType<typeof logNormal> {
  return logNormal({ location: Math.log(median), scale: 0.2 });
}
