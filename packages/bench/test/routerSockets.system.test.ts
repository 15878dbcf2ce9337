import { describe, expect, it } from "vitest";
import { playSockets } from "../dist/router/sockets/playSockets.js";
import { SOCKET_CLIENTS } from "../src/router/sockets/socketClients.js";
import { SOCKET_SCENARIOS, type SocketScenario } from "../src/router/sockets/socketScenarios.js";
import { bench } from "./command.js";

const { signal } = new AbortController();

/** A scenario that ends early: what is random is drawn in order, so the servers of the whole one answer as they would. */
function shortened(name: string, requests: number): SocketScenario {
  return { ...SOCKET_SCENARIOS.find((each) => each.name === name)!, requests };
}

describe("scenarios on real sockets", () => {
  it.each(["steady", "limit", "slow-route-named", "impatient", "six-clients"])("plays %s with all rules at once", async (name) => {
    const results = await playSockets(shortened(name, 40), 1, signal);
    expect(results.map(({ rule }) => rule)).toEqual(Object.keys(SOCKET_CLIENTS));
    for (const { requests, mean, p99, failures } of results) {
      // On a busy machine requests fail that would not otherwise.
      expect([requests, mean >= (3000 * failures) / 40, mean > 10, p99 >= mean]).toEqual([40, true, true, true]);
    }
  });

  it("counts an error status as a failure of three seconds", async () => {
    const results = await playSockets({ ...shortened("retry-after", 40), countedFrom: 0 }, 1, signal);
    for (const { failures, mean } of results) {
      expect(failures).toBeGreaterThan(0);
      expect(mean).toBeGreaterThan((3000 * failures) / 40);
    }
  });

  it("stops when its signal aborts", async () => {
    await expect(playSockets(shortened("steady", 40), 1, AbortSignal.abort())).rejects.toThrow();
  });

  it("refuses scenarios and numbers of runs that there are not", async () => {
    expect((await bench("router", "--sockets", "--only", "x")).stderr).toMatch(/ERR_PARAMETER: .*only must be names of scenarios \(steady, dies,/);
    expect((await bench("router", "--sockets", "--seeds", "0")).stderr).toMatch(/seeds must be an integer in \[1, 100\]/);
    expect((await bench("router", "--sockets", "--servers")).code).toBe(2);
  });
});
