import { stream } from "tsallis";
import { describe, expect, it } from "vitest";
import { firstCome } from "../src/router/load/firstCome.js";
import { OURS } from "../src/router/rules/rules.js";
import { BALANCED_POOL } from "../src/router/servers/clients.js";
import type { DispatcherCost } from "../src/router/servers/dispatcherCosts.js";
import type { ReplicaResult } from "../src/router/servers/playReplicas.js";
import type { ServerResult } from "../src/router/servers/playServers.js";
import { serverFigures } from "../src/router/servers/serverFigures.js";
import { SERVER_SCENARIOS } from "../src/router/servers/serverScenarios.js";
import { serverTables } from "../src/router/servers/serverTables.js";
import { serverTargets } from "../src/router/servers/serverTargets.js";
import { createWorkers } from "../src/router/servers/workers.js";
import { BEST } from "../src/router/worlds/routerResults.js";

describe("createWorkers", () => {
  it("begins at once while a worker is free, and then when the first one is", () => {
    const untilDone = createWorkers(2);
    expect([untilDone(0, 10), untilDone(0, 30), untilDone(4, 5), untilDone(5, 1), untilDone(100, 7)]).toEqual([10, 30, 11, 11, 7]);
  });

  it("is the first-come server of the simulation", () => {
    const rng = stream(1, "workers");
    const untilDone = createWorkers(8);
    const simulated = firstCome(8);
    const ends: number[] = [];
    const simulatedEnds: number[] = [];
    const finish = () => {
      const end = simulated.next;
      simulatedEnds[simulated.finish()] = end;
    };
    for (let now = 0, request = 0; request < 500; request++) {
      now += rng.uniform();
      while (simulated.next <= now) finish();
      const work = 9 * rng.uniform();
      simulated.accept(now, request, work);
      ends.push(now + untilDone(now, work));
    }
    while (simulated.next < Infinity) finish();
    for (const [request, end] of ends.entries()) expect(end).toBeCloseTo(simulatedEnds[request]!, 9);
  });
});

describe("serverFigures", () => {
  it("counts a failure at the time that it took, and answers by upstream", () => {
    const outcomes = { latencies: Float64Array.of(10, 20, 60), late: Float64Array.of(1, 1, 1), upstreams: Int32Array.of(2, -1, 2) };
    expect(serverFigures(outcomes, 3)).toEqual({ mean: 30, p99: expect.closeTo(59.2, 9), failures: 1, late: 1, answers: [0, 0, 2] });
  });
});

const replica = (seed: number, rule: string, mean: number, failures = 0): ReplicaResult => ({
  seed,
  rule,
  mean,
  p99: mean * mean,
  failures,
  late: seed,
  answers: [],
});
const REPLICAS = [
  ...[40, 50, 80].map((mean, i) => replica(i + 1, BALANCED_POOL, mean, 1)),
  ...[44, 100, 84].map((mean, i) => replica(i + 1, OURS, mean, i)),
];
const COSTS: DispatcherCost[] = [
  { door: "request", inFlight: 50, balancedPool: 20, ours: 24.04, ratio: 1.2 },
  { door: "fetch", inFlight: 50, balancedPool: 200, ours: 202, ratio: 1.011 },
];

describe("serverTargets", () => {
  it("takes the median of the ratios with the same seed, all failures of ours, and the costs", () => {
    const found = serverTargets(REPLICAS, COSTS);
    expect(found.map(({ asked, measured }) => [asked, Number(measured.toFixed(9))])).toEqual([
      ["at most 1.2", 1.1],
      ["none", 3],
      ["at most 1.12", 1.2],
      ["at most 1.12", 1.011],
    ]);
  });
});

describe("serverTables", () => {
  const result = (scenario: string, rule: string, mean: number): ServerResult => ({
    scenario,
    rule,
    mean,
    p99: 10 * mean,
    share: (200 - mean) / 100,
    failures: 3,
    late: 0.5,
    answers: [],
  });
  const servers = SERVER_SCENARIOS.flatMap(({ name }) => [result(name, BALANCED_POOL, 200), result(name, OURS, 125), result(name, BEST, 100)]);
  const text = serverTables({ servers, replicas: REPLICAS, overhead: COSTS });

  it("shows each scenario", () => {
    expect(text.match(/│ tsallis +│ +125\.0 │ +1250 │ +0\.75 │ +3 │ +0\.5 │/g)).toHaveLength(SERVER_SCENARIOS.length);
    for (const { description } of SERVER_SCENARIOS) expect(text.toLowerCase()).toContain(description.toLowerCase());
  });

  it("shows medians over the repetitions on equal replicas, and the ratios of pairs", () => {
    expect(text).toMatch(/│ BalancedPool +│ +50\.0 │ +2500 │ +3 │ +2\.0 │/);
    expect(text).toMatch(/│ tsallis +│ +84\.0 │ +7056 │ +3 │ +2\.0 │/);
    expect(text).toMatch(/│ ratio +│ +1\.10 │ +1\.21 │ +│ +│/);
  });

  it("shows what a request costs, and what was asked", () => {
    expect(text).toMatch(/│ request\(\) │ +50 │ +20\.0 │ +24\.0 │ +1\.20 │/);
    expect(text).toMatch(/│ fetch\(\) +│ +50 │ +200\.0 │ +202\.0 │ +1\.01 │/);
    expect(text).toMatch(/│ failures of ours on equal replicas +│ +none │ +3 │/);
  });

  it("shows only what was measured", () => {
    const costs = serverTables({ servers: [], replicas: [], overhead: COSTS });
    expect(costs).toMatch(/^Servers that answer at once: .*\n/);
    expect(costs).not.toMatch(/replicas|open loop/);
    expect(serverTables({ servers: [], replicas: REPLICAS, overhead: [] })).not.toMatch(/processor time|open loop/);
  });
});
