// Answers and what they cost, through each door.
import { Readable } from "node:stream";
import { afterEach, describe, expect, it } from "vitest";
import type { Answer } from "../src/http/lossRule.js";
import { closeAll, DOORS, recent, routed, vanished } from "./doors.js";
import { answer, echo } from "./standIn.js";
import { sums } from "./sums.js";

afterEach(closeAll);

describe.each(Object.entries(DOORS))("through %s", (_name, door) => {
  it("an answer comes through untouched, and its seconds to the first byte are learned", async () => {
    const { router } = await routed(answer("hello", 201, { "x-mark": "here" }));
    const got = await door(router, "/items?page=2");
    expect(got).toMatchObject({ status: 201, text: "hello", headers: { "x-mark": "here" } });
    expect(sums(router)).toMatchObject({ chosen: 1, done: 1, open: 0 });
    const [losses] = recent(router);
    expect(losses!.p50 > 0 && losses!.p50 < 20).toBe(true);
    expect(losses!.failureShare).toBe(0);
  });

  it("method, path, headers and a streaming body reach the upstream", async () => {
    const { router, servers } = await routed(echo);
    const body = Readable.from(["one ", "two ", "three"].map((text) => Buffer.from(text)));
    const got = await door(router, "/echo?x=%20y", { method: "POST", body, headers: { "x-mark": "m" } });
    expect(got).toMatchObject({ status: 200, text: "one two three", headers: { "x-method": "POST", "x-seen": "m" } });
    const [seen] = servers.flatMap(({ requests }) => requests);
    expect(seen!.url).toBe("/echo?x=%20y");
    expect(servers.map(({ url }) => new URL(url).host)).toContain(seen!.headers.host);
  });

  it("a base path goes before the path", async () => {
    const { router, servers } = await routed(answer("x"), {}, "/v1/");
    await door(router, "/items");
    await door(router, "/");
    expect(servers.flatMap(({ requests }) => requests.map(({ url }) => url)).sort()).toEqual(["/v1/", "/v1/items"]);
  });

  it.each([408, 425, 429, 500, 503])("a %i is a failure that costs the penalty, and reaches the caller untouched", async (status) => {
    const { router } = await routed(answer("sorry", status), { penalty: 12 });
    expect(await door(router, "/")).toMatchObject({ status, text: "sorry" });
    expect(sums(router)).toMatchObject({ failed: 1, open: 0 });
    expect(recent(router)).toMatchObject([{ count: 1, p50: 12, failureShare: 1 }]);
  });

  it.each([204, 304])("a %i is an answer like any other", async (status) => {
    const { router } = await routed(answer("", status));
    expect(await door(router, "/")).toMatchObject({ status });
    expect(sums(router)).toMatchObject({ done: 1 });
  });

  it.each([400, 401, 404, 410, 422])("a %i says nothing about the upstream, and teaches nothing", async (status) => {
    const { router } = await routed(answer("no", status));
    expect(await door(router, "/")).toMatchObject({ status, text: "no" });
    expect(sums(router)).toMatchObject({ chosen: 1, ignored: 1, done: 0, failed: 0, open: 0 });
    expect(recent(router)).toEqual([]);
  });

  it("the loss total lasts until the end of the body", async () => {
    const gate: (() => void)[] = [];
    const { router } = await routed(
      (_request, response) => {
        response.write("first ");
        gate.push(() => response.end("last"));
      },
      { loss: "total" },
    );
    const pending = door(router, "/");
    await vanished(() => gate.length === 0);
    expect(sums(router)).toMatchObject({ open: 1, done: 0 });
    gate[0]!();
    expect(await pending).toMatchObject({ text: "first last" });
    expect(sums(router)).toMatchObject({ open: 0, done: 1 });
  });

  it("a loss function gets the answer, and its result is learned", async () => {
    const answers: Answer[] = [];
    const loss = (told: Answer) => {
      answers.push(told);
      return Number(told.headers["x-cost"]);
    };
    const { router, servers } = await routed(answer("12345", 203, { "x-cost": "0.25" }), { loss });
    await door(router, "/");
    const [told] = answers;
    expect(told).toMatchObject({ status: 203, bytes: 5, headers: { "x-cost": "0.25" } });
    expect(servers.map(({ url }) => url)).toContain(told!.upstream);
    expect(told!.firstByteSeconds > 0 && told!.seconds >= told!.firstByteSeconds).toBe(true);
    expect(recent(router)).toMatchObject([{ count: 1, p50: 0.25 }]);
  });

  it("a loss function is asked about neither a failure nor an answer that teaches nothing", async () => {
    const loss = () => {
      throw new Error("asked");
    };
    const { router, servers } = await routed(answer("x", 500), { penalty: 3, loss });
    await door(router, "/");
    for (const server of servers) server.behaviour = answer("x", 404);
    await door(router, "/");
    expect(sums(router)).toMatchObject({ failed: 1, ignored: 1, refused: 0 });
  });

  it.each([
    [
      "throws",
      () => {
        throw new Error("planted");
      },
    ],
    ["returns NaN", () => Number.NaN],
    ["returns an infinity", () => Number.POSITIVE_INFINITY],
    ["returns a promise", () => Promise.resolve(1) as never],
    ["returns nothing", () => undefined as never],
    ["returns null", () => null as never],
  ])("a loss function that %s is a counted refusal, and the caller does not notice", async (_, loss) => {
    const { router } = await routed(answer("fine"), { loss });
    const ticket = router.choose();
    const before = router.snapshot().routes[0]!.policy;
    ticket.abandoned();
    expect(await door(router, "/")).toMatchObject({ status: 200, text: "fine" });
    expect(sums(router)).toMatchObject({ chosen: 2, refused: 1, open: 0 });
    // Only the round of the policy has changed, and the list of the first arms that its detector keeps.
    expect(router.snapshot().routes[0]!.policy.state).toEqual({ ...before.state, opening: expect.any(Array) });
  });

  it("connections are kept alive", async () => {
    const { router, servers } = await routed(answer("x"), { pool: { connections: 1 } });
    for (let i = 0; i < 20; i++) await door(router, "/");
    expect(servers.reduce((sum, { connections }) => sum + connections, 0)).toBeLessThanOrEqual(2);
    expect(sums(router)).toMatchObject({ done: 20 });
  });

  it("many requests at once are all accounted for", async () => {
    const { router } = await routed(answer("x"));
    const all = await Promise.all(Array.from({ length: 200 }, () => door(router, "/")));
    expect(all.every(({ status, text }) => status === 200 && text === "x")).toBe(true);
    expect(sums(router)).toMatchObject({ chosen: 200, done: 200 });
  });
});
