// Upstreams that come and go over HTTP.
import { spawn } from "node:child_process";
import { fileURLToPath } from "node:url";
import { afterEach, describe, expect, it, onTestFinished } from "vitest";
import { closeAll, DOORS, routed, vanished } from "./doors.js";
import { answer, type Behaviour, standIns } from "./standIn.js";

afterEach(closeAll);

/** Answers only when told to. */
function gated(text: string): { behaviour: Behaviour; open: () => void; waiting: () => number } {
  const gate: (() => void)[] = [];
  return {
    behaviour: (_request, response) => gate.push(() => response.end(text)),
    open: () => gate.splice(0).forEach((end) => void end()),
    waiting: () => gate.length,
  };
}

describe.each(Object.entries(DOORS))("through %s", (_name, door) => {
  it("requests under way at a removed upstream end in peace, and no socket is left there", async () => {
    const { behaviour, open, waiting } = gated("late, but whole");
    const { router, servers } = await routed(behaviour, { policy: { policy: "uniform" } });
    const pending = Array.from({ length: 20 }, () => door(router, "/"));
    await vanished(() => waiting() < 20);
    const [gone, kept] = servers as [(typeof servers)[number], (typeof servers)[number]];
    const [before, after] = [gone.requests.length, kept.requests.length];
    expect(Math.min(before, after)).toBeGreaterThan(0);
    router.remove(gone.url);
    expect(router.explain().upstreams).toMatchObject([{ upstream: kept.url, open: after }]);
    open();
    for (const got of await Promise.all(pending)) expect(got).toMatchObject({ status: 200, text: "late, but whole" });
    await vanished(() => gone.sockets.size > 0);
    expect(router.explain().upstreams).toMatchObject([{ upstream: kept.url, open: 0, done: after, chosen: after }]);
    kept.behaviour = answer("x");
    for (let i = 0; i < 10; i++) await door(router, "/");
    expect([gone.requests.length, kept.requests.length]).toEqual([before, after + 10]);
  });

  it("an upstream that is added gets requests, and one that comes back while its old requests are under way has a new pool", async () => {
    const { behaviour, open, waiting } = gated("old");
    const { router, servers } = await routed(behaviour, { policy: { policy: "uniform" } });
    const pending = Array.from({ length: 10 }, () => door(router, "/"));
    await vanished(() => waiting() < 10);
    const [third] = await standIns(answer("third"));
    router.add(third!.url);
    router.remove(servers[0]!.url);
    router.add(servers[0]!.url);
    for (const server of servers) server.behaviour = answer("new");
    const texts = new Set<string>();
    for (let i = 0; i < 40; i++) texts.add((await door(router, "/")).text);
    expect(texts).toEqual(new Set(["new", "third"]));
    open();
    for (const got of await Promise.all(pending)) expect(got.text).toBe("old");
    expect(router.explain().upstreams.map(({ upstream, open: left }) => [upstream, left])).toEqual(
      [servers[1]!.url, third!.url, servers[0]!.url].map((url) => [url, 0]),
    );
  });

  it("closing waits for the requests under way at a removed upstream; destroying ends them", async () => {
    for (const destroys of [false, true]) {
      const { behaviour, open, waiting } = gated("whole");
      const { router, servers } = await routed(behaviour);
      const pending = Array.from({ length: 6 }, () =>
        door(router, "/").then(
          ({ text }) => text,
          (error: Error) => error.message,
        ),
      );
      await vanished(() => waiting() < 6);
      router.remove(servers[0]!.url);
      let closed = false;
      const closing = (destroys ? router.dispatcher().destroy(new Error("the end")) : router.close()).then(() => {
        closed = true;
      });
      expect(() => router.add("http://c.example")).toThrow(expect.objectContaining({ code: "ERR_CLOSED" }));
      await new Promise(setImmediate);
      if (!destroys) expect(closed).toBe(false);
      if (!destroys) open();
      expect(new Set(await Promise.all(pending))).toEqual(new Set([destroys ? "the end" : "whole"]));
      await closing;
      await vanished(() => servers.some(({ sockets }) => sockets.size > 0));
    }
  });
});

it("a fetch whose upstream is removed in the same moment still gets its answer", async () => {
  const { router, servers } = await routed(answer("x"));
  const pending = router.fetch("/");
  router.remove(router.explain().upstreams.find(({ open }) => open === 1)!.upstream);
  expect(await (await pending).text()).toBe("x");
  expect(servers.reduce((sum, { requests }) => sum + requests.length, 0)).toBe(1);
});

it("a base path comes and goes with its upstream", async () => {
  const [first, second] = await standIns(answer("x"), answer("x"));
  const { router } = await routed(answer("x"));
  for (const name of router.upstreams.slice(1)) router.remove(name);
  router.add(`${first!.url}/v1`);
  router.remove(router.upstreams[0]!);
  await (await router.fetch("/items")).text();
  await (await router.dispatcher().request({ path: "/items", method: "GET" })).body.dump();
  await expect(router.fetch("/../x")).rejects.toMatchObject({ code: "ERR_PATH" });
  await expect(router.dispatcher().request({ path: "/../x", method: "GET" })).rejects.toMatchObject({ code: "ERR_PATH" });
  expect(first!.requests.map(({ url }) => url)).toEqual(["/v1/items", "/v1/items"]);
  router.add(second!.url);
  router.remove(`${first!.url}/v1/`);
  await (await router.dispatcher().request({ path: "/items", method: "GET" })).body.dump();
  expect(second!.requests.map(({ url }) => url)).toEqual(["/items"]);
});

it.each([
  ["the default policy", []],
  ["uniform choices", ["uniform"]],
])("memory stays flat over a thousand changes under load, and every request is answered: %s", async (_, policy) => {
  const program = fileURLToPath(new URL("fixtures/soakChanges.mjs", import.meta.url));
  const child = spawn(process.execPath, ["--expose-gc", program, "1000", ...policy]);
  onTestFinished(() => void child.kill());
  let [stdout, stderr] = ["", ""];
  child.stdout.setEncoding("utf8").on("data", (text) => (stdout += text));
  child.stderr.setEncoding("utf8").on("data", (text) => (stderr += text));
  const code = await new Promise((resolve) => child.on("close", resolve));
  expect([code, stderr]).toEqual([0, ""]);
  const { sent, answered, changes, quarter, end, left } = JSON.parse(stdout);
  expect([changes, answered, left]).toEqual([1000, sent, 0]);
  expect(sent).toBeGreaterThan(3000);
  // A pool with its connection weighs some 20 kB, and three quarters of the thousand changes open 375.
  expect(end - quarter).toBeLessThan(4_000_000);
});
