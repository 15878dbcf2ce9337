import { spawn } from "node:child_process";
import { fileURLToPath } from "node:url";
import { describe, expect, it, onTestFinished } from "vitest";
import { soak } from "../../../test/soak.js";
import type { Counter, UpstreamExplanation } from "../src/index.js";

/*
 * A million tickets and 20,000 HTTP requests, in separate processes; a fifth of that in `npm test`.
 *
 * The million goes through choose(). Both HTTP doors take their tickets there and give them back as its callers do, so beyond a ticket a request costs the
 * router only sockets and handlers. 20,000 of those are enough to see a leak of a quarter of a kilobyte, and 4,000 to see one of a kilobyte and a half.
 * Nothing here depends on time: a loaded machine only changes which outcome a request has, and all outcomes are counted.
 */
const TICKETS = soak(200_000, 1_000_000);
const REQUESTS = soak(4000, 20_000);

/**
 * How much the memory may grow between a quarter of the way and the end, after a garbage collection each. The engine's own memory varied by at most 1.5 MB
 * in a dozen runs. A ticket that is kept weighs some 200 bytes, and three quarters of 200,000 of them weigh 30 MB.
 */
const GROWTH_BYTES = 4_000_000;

type Counts = Record<Counter, number>;

interface Weighed {
  readonly quarter: number;
  readonly end: number;
  readonly unhandled: readonly string[];
}

interface TicketSoak extends Weighed {
  readonly calls: Record<"choose" | "done" | "failed" | "abandoned" | "refused" | "never" | "late" | "repeated", number>;
  readonly counted: readonly UpstreamExplanation[];
}

interface RequestSoak extends Weighed {
  readonly sent: Record<"requests" | "answered" | "failed", number>;
  readonly counted: readonly Counts[];
  readonly deaths: number;
  /** Calls that neither answered nor failed. */
  readonly endless: readonly string[];
  /** Sockets that were not closed, on the router's side and on the upstreams' side. */
  /** By router: requests of callers, retries and hedges. */
  readonly repeated: readonly (readonly [number, number, number])[];
  readonly left: { readonly own: number; readonly theirs: number };
}

/** Runs a program of fixtures/ and returns what it printed. It must end by itself, with exit code 0 and nothing on stderr. */
function run<Result>(name: string, ...args: string[]): Promise<Result> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, ["--expose-gc", fileURLToPath(new URL(`fixtures/${name}`, import.meta.url)), ...args]);
    onTestFinished(() => void child.kill());
    let stdout = "";
    let stderr = "";
    child.stdout.setEncoding("utf8").on("data", (text) => (stdout += text));
    child.stderr.setEncoding("utf8").on("data", (text) => (stderr += text));
    child.on("error", reject);
    child.on("close", (code, signal) => {
      if (code === 0 && stderr === "") resolve(JSON.parse(stdout));
      else reject(new Error(`${name} ended with ${code ?? signal}:\n${stderr}`));
    });
  });
}

function sum(counted: readonly Counts[]): (counter: Counter) => number {
  return (counter) => counted.reduce((total, counts) => total + counts[counter], 0);
}

/** Every ticket has had exactly one end. */
function expectAccounted(counted: readonly Counts[]): void {
  for (const { chosen, open, done, failed, timedOut, abandoned, ignored, refused, forgotten } of counted) {
    expect(open).toBe(0);
    expect(done + failed + timedOut + abandoned + ignored + refused + forgotten).toBe(chosen);
  }
}

describe("soak", () => {
  it("tickets, whatever becomes of them: each is accounted for, and nothing is kept", async () => {
    const { calls, counted, quarter, end, unhandled } = await run<TicketSoak>("soakTickets.mjs", String(TICKETS));
    expect(unhandled).toEqual([]);
    expectAccounted(counted);
    const total = sum(counted);
    expect(calls.choose).toBe(TICKETS + 1000);
    expect(total("chosen")).toBe(calls.choose);
    expect(total("timedOut")).toBe(0);
    expect(total("repeated")).toBe(calls.repeated);
    // If the process stands still for longer than the timeout, tickets that should be closed in time are forgotten first, and their closing is late.
    const overslept = total("late") - calls.late;
    expect(overslept).toBeGreaterThanOrEqual(0);
    expect(total("forgotten")).toBe(calls.never + calls.late + overslept);
    const missing = (["done", "failed", "abandoned", "refused"] as const).map((outcome) => calls[outcome] - total(outcome));
    expect(Math.min(...missing)).toBeGreaterThanOrEqual(0);
    expect(missing.reduce((a, b) => a + b)).toBe(overslept);
    expect(end - quarter).toBeLessThan(GROWTH_BYTES);
  });

  it("upstreams that die, hang, reset, answer late, oddly or twice: each request is accounted for, and nothing is kept", async () => {
    const { sent, counted, deaths, endless, left, quarter, end, unhandled } = await run<RequestSoak>("soakRequests.mjs", String(REQUESTS));
    expect({ unhandled, endless }).toEqual({ unhandled: [], endless: [] });
    expectAccounted(counted);
    const total = sum(counted);
    expect(sent.requests).toBe(REQUESTS);
    expect(sent.answered + sent.failed).toBe(REQUESTS);
    expect(total("chosen")).toBe(REQUESTS);
    // Requests close their own tickets, once.
    expect((["forgotten", "late", "repeated"] as const).map(total)).toEqual([0, 0, 0]);
    // Everything that can happen has happened.
    for (const outcome of ["done", "failed", "timedOut", "abandoned", "ignored", "refused"] as const)
      expect([outcome, total(outcome)]).not.toEqual([outcome, 0]);
    expect(deaths).toBeGreaterThan(0);
    expect(left).toEqual({ own: 0, theirs: 0 });
    expect(end - quarter).toBeLessThan(GROWTH_BYTES);
  });

  it("with retries, hedges and sessions: budgets hold, each attempt is accounted for, and nothing is kept", async () => {
    const requests = soak(4000, 10_000);
    const { sent, counted, endless, left, quarter, end, unhandled, repeated } = await run<RequestSoak>(
      "soakRequests.mjs",
      String(requests),
      "repeats",
    );
    expect({ unhandled, endless }).toEqual({ unhandled: [], endless: [] });
    expectAccounted(counted);
    const total = sum(counted);
    expect(sent.answered + sent.failed).toBe(requests);
    for (const [made, retried, hedged] of repeated) {
      expect(retried).toBeLessThanOrEqual(0.1 * made);
      expect(hedged).toBeLessThanOrEqual(0.05 * made);
    }
    const all = (i: 0 | 1 | 2) => repeated.reduce((a, b) => a + b[i], 0);
    expect(all(1)).toBeGreaterThan(0);
    expect(all(2)).toBeGreaterThan(0);
    // Those whose headers fetch refuses are never sent.
    expect(all(0)).toBeLessThanOrEqual(requests);
    expect(total("chosen")).toBe(all(0) + all(1) + all(2));
    expect((["forgotten", "late", "repeated"] as const).map(total)).toEqual([0, 0, 0]);
    expect(left).toEqual({ own: 0, theirs: 0 });
    expect(end - quarter).toBeLessThan(GROWTH_BYTES);
  });

  it("a router that is dropped without being closed is collected at once, whatever its timeout", async () => {
    expect(await run("dropped.mjs")).toEqual({ unused: true, tickets: true, "open tickets": true, requests: true });
  });

  it("the scales would see a leak: closed tickets, and what requests leave behind", async () => {
    // 75,000 tickets, and 900 times 16 kB: at most half of what the same leak weighs above.
    const tickets = await run<TicketSoak>("soakTickets.mjs", "100000", "leak");
    expect(tickets.end - tickets.quarter).toBeGreaterThan(GROWTH_BYTES);
    const requests = await run<RequestSoak>("soakRequests.mjs", "1200", "leak");
    expect(requests.end - requests.quarter).toBeGreaterThan(GROWTH_BYTES);
  });
});
