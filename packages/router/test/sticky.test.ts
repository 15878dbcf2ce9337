import { describe, expect, it } from "vitest";
import { createRouter } from "../src/createRouter.js";
import type { RouterOptions } from "../src/routerOptions.js";
import { Sessions } from "../src/tickets/sessions.js";

let time = 0;
const make = (options: Partial<RouterOptions> = {}) =>
  createRouter({ upstreams: ["a", "b", "c"], seed: 1, lossIsElapsedSeconds: true, timeoutMs: 5000, clockSeconds: () => time, ...options });

/** A request of a session that takes so many seconds. */
function send(router: ReturnType<typeof make>, session: string, seconds: (upstream: string) => number): string {
  const ticket = router.choose({ session });
  time += seconds(ticket.upstream);
  ticket.done(seconds(ticket.upstream));
  return ticket.upstream;
}

describe("a session", () => {
  it("stays where it is, and only the request that chose is a round", () => {
    const router = make();
    for (let session = 0; session < 20; session++) {
      const first = send(router, `s${session}`, () => 0.02);
      for (let i = 0; i < 9; i++) expect(send(router, `s${session}`, () => 0.02)).toBe(first);
    }
    const { rounds, sticky, upstreams } = router.explain();
    expect(rounds).toBe(20);
    expect(sticky).toEqual({ sessions: 20, kept: 180, left: { failed: 0, worse: 0, removed: 0, expired: 0, evicted: 0 } });
    // Every answer counts, and teaches what is known of its upstream.
    expect(upstreams.reduce((sum, { done }) => sum + done, 0)).toBe(200);
    expect(router.snapshot().upstreams.reduce((sum, { latency }) => sum + latency.rest.count, 0)).toBeGreaterThan(100);
  });

  it("leaves an upstream that fails", () => {
    const router = make();
    const ticket = router.choose({ session: "s" });
    ticket.failed();
    expect(router.explain().sticky).toMatchObject({ sessions: 0, left: { failed: 1 } });
  });

  it("leaves an upstream that is clearly worse, and no other", () => {
    const router = make();
    let slow = "";
    const seconds = (upstream: string) => (upstream === slow ? 1 : 0.02) * (1 + (time % 0.7));
    for (let i = 0; i < 300; i++) send(router, `${i}`, seconds);
    const before = router.explain().sticky.left;
    slow = send(router, "mine", seconds);
    let moved = 0;
    let at = slow;
    for (let i = 0; i < 200; i++) {
      for (let j = 0; j < 4; j++) send(router, `other ${i} ${j}`, seconds);
      const next = send(router, "mine", seconds);
      if (next !== at) moved++;
      at = next;
    }
    expect(at).not.toBe(slow);
    const { left } = router.explain().sticky;
    expect(left.worse - before.worse).toBeGreaterThanOrEqual(moved);
    expect({ ...left, worse: 0 }).toEqual({ failed: 0, worse: 0, removed: 0, expired: 0, evicted: 0 });
  });

  it("leaves an upstream that was removed", () => {
    const router = make();
    const first = send(router, "s", () => 0.02);
    router.remove(first);
    expect(send(router, "s", () => 0.02)).not.toBe(first);
    expect(router.explain().sticky.left.removed).toBe(1);
  });

  it("is forgotten when it was not used for its lifetime", () => {
    const router = make({ sticky: { lifetimeMs: 1000 } });
    send(router, "s", () => 0.02);
    for (let i = 0; i < 5; i++) {
      time += 0.9;
      send(router, "s", () => 0.02);
    }
    expect(router.explain().sticky).toMatchObject({ kept: 5, left: { expired: 0 } });
    time += 1.1;
    send(router, "s", () => 0.02);
    expect(router.explain().sticky).toMatchObject({ kept: 5, left: { expired: 1 } });
  });

  it("is forgotten when too many others came after it, the oldest first", () => {
    const router = make({ sticky: { maxSessions: 3 } });
    for (const session of ["1", "2", "3", "1", "4"]) send(router, session, () => 0.02);
    expect(router.explain().sticky).toMatchObject({ sessions: 3, kept: 1, left: { evicted: 1 } });
    send(router, "1", () => 0.02);
    expect(router.explain().sticky.kept).toBe(2);
    send(router, "2", () => 0.02);
    expect(router.explain().sticky).toMatchObject({ kept: 2, left: { evicted: 2 } });
  });

  it.each(["", "x".repeat(201), 3, null])("with the key %j is refused", (session) => {
    expect(() => make().choose({ session: session as never })).toThrow(expect.objectContaining({ code: "ERR_OPTION", parameter: "session" }));
  });
});

it("a session that has moved on is not taken away by an old failure", () => {
  const sessions = new Sessions(10, 10);
  sessions.bind("s", "a", 0);
  sessions.bind("s", "b", 0);
  sessions.leave("s", "a", "failed");
  expect(sessions.find("s", 0)).toBe("b");
});

it("memory is bounded", () => {
  const sessions = new Sessions(10, 100);
  for (let i = 0; i < 10_000; i++) sessions.bind(`s${i}`, "a", i);
  expect(sessions.status()).toMatchObject({ sessions: 100, left: { evicted: 9900 } });
});
