// Requests that the caller ends: by an abort, by not reading on, or by closing the router.
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { closeAll, DOORS, recent, routed, vanished } from "./doors.js";
import { answer, hang, stall, standIns } from "./standIn.js";
import { sums } from "./sums.js";

afterEach(closeAll);

describe.each(Object.entries(DOORS))("through %s", (_name, door) => {
  it("an abort by the caller teaches nothing", async () => {
    const { router, servers } = await routed(hang);
    const controller = new AbortController();
    const pending = door(router, "/", { signal: controller.signal });
    await Promise.race(servers.map((server) => vanished(() => server.requests.length === 0)));
    const before = router.snapshot().routes;
    controller.abort(new Error("enough"));
    await expect(pending).rejects.toThrow("enough");
    expect(router.snapshot().routes).toEqual(before);
    expect(sums(router)).toMatchObject({ abandoned: 1, open: 0 });
  });

  it("an abort within the body teaches nothing if the whole body is measured", async () => {
    const { router } = await routed(stall, { loss: "total" });
    const controller = new AbortController();
    const pending = door(router, "/", { signal: controller.signal });
    pending.catch(() => {});
    await vanished(() => router.explain().upstreams.every(({ open }) => open === 0));
    controller.abort(new Error("enough"));
    await expect(pending).rejects.toBeInstanceOf(Error);
    await vanished(() => sums(router).open === 1);
    expect(sums(router)).toMatchObject({ abandoned: 1, done: 0 });
  });

  it("an abort before anything is sent teaches nothing", async () => {
    const { router } = await routed(answer("x"));
    await expect(door(router, "/", { signal: AbortSignal.abort(new Error("no")) })).rejects.toThrow("no");
    await vanished(() => sums(router).open === 1);
    expect(sums(router)).toMatchObject({ chosen: 1, abandoned: 1 });
  });

  it("an abort while the request waits for a connection reaches the caller at the timeout at the latest, and teaches nothing", async () => {
    const { router, servers } = await routed(stall, { timeoutMs: 300, pool: { connections: 1 } });
    while (servers.some(({ requests }) => requests.length === 0)) {
      door(router, "/").catch(() => {});
      await new Promise((resolve) => setTimeout(resolve, 2));
    }
    await expect(door(router, "/", { signal: AbortSignal.timeout(50) })).rejects.toMatchObject({ name: "TimeoutError" });
    expect(sums(router)).toMatchObject({ abandoned: 1 });
  });

  it("a closed router refuses as a BalancedPool does", async () => {
    const { router } = await routed(answer("x"));
    await door(router, "/");
    const closing = router.close();
    await expect(door(router, "/")).rejects.toMatchObject({ code: "UND_ERR_CLOSED" });
    await closing;
    await expect(door(router, "/")).rejects.toMatchObject({ code: "UND_ERR_DESTROYED" });
    expect(() => router.choose()).toThrow(expect.objectContaining({ code: "ERR_CLOSED" }));
    expect(sums(router)).toMatchObject({ chosen: 1 });
  });

  it("closing waits for the requests in flight", async () => {
    const gate: (() => void)[] = [];
    const { router } = await routed((_request, response) => gate.push(() => response.end("late, but whole")));
    const pending = door(router, "/");
    await vanished(() => gate.length === 0);
    let closed = false;
    const closing = router.close().then(() => {
      closed = true;
    });
    await new Promise(setImmediate);
    expect(closed).toBe(false);
    gate[0]!();
    expect(await pending).toMatchObject({ text: "late, but whole" });
    await closing;
    expect(sums(router)).toMatchObject({ chosen: 1, done: 1 });
  });

  it("destroying ends the requests in flight, which teaches nothing", async () => {
    const { router, servers } = await routed(hang);
    const pending = door(router, "/");
    pending.catch(() => {});
    await Promise.race(servers.map((server) => vanished(() => server.requests.length === 0)));
    await router.dispatcher().destroy(new Error("the end"));
    await expect(pending).rejects.toThrow("the end");
    expect(sums(router)).toMatchObject({ abandoned: 1, failed: 0, open: 0 });
  });

  it("destroying also ends a closing that waits", async () => {
    const { router, servers } = await routed(hang);
    const pending = door(router, "/");
    pending.catch(() => {});
    await Promise.race(servers.map((server) => vanished(() => server.requests.length === 0)));
    const closing = router.close();
    await router.dispatcher().destroy();
    await closing;
    await expect(pending).rejects.toBeInstanceOf(Error);
    expect(sums(router)).toMatchObject({ abandoned: 1, open: 0 });
  });

  it("destroying also ends a closing that waits for a queue; the state is written and its lock released", async () => {
    const folder = mkdtempSync(join(tmpdir(), "tsallis-router-"));
    try {
      const state = join(folder, "state.json");
      const { router, servers } = await routed(hang, { state, policy: { policy: "uniform" }, pool: { connections: 1 } });
      const pending = Array.from({ length: 20 }, () => door(router, "/").catch((error: Error) => error));
      await vanished(() => servers.some(({ requests }) => requests.length === 0));
      const closing = router.close();
      await router.dispatcher().destroy(new Error("the end"));
      await closing;
      for (const error of await Promise.all(pending)) expect(error).toMatchObject({ message: "the end" });
      expect(sums(router)).toMatchObject({ chosen: 20, abandoned: 20, open: 0 });
      expect(readdirSync(folder)).toEqual(["state.json"]);
      expect(JSON.parse(readFileSync(state, "utf8")).snapshot.routes[0].policy.round).toBe(20);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});

describe("a body that the caller does not read, if the whole body is measured", () => {
  const large = answer("x".repeat(20_000_000));

  it("costs the upstream the penalty if it is left alone", async () => {
    // Long enough for the head of the answer on a busy machine.
    const { router } = await routed(large, { loss: "total", timeoutMs: 2000, penalty: 12 });
    const response = await router.fetch("/");
    await vanished(() => sums(router).open === 1);
    expect(sums(router)).toMatchObject({ timedOut: 1, abandoned: 0 });
    expect(recent(router)).toMatchObject([{ p50: 12 }]);
    await expect(response.text()).rejects.toMatchObject({ cause: { code: "ERR_TIMEOUT" } });
  });

  it("teaches nothing if it is cancelled", async () => {
    const { router } = await routed(large, { loss: "total" });
    await (await router.fetch("/")).body!.cancel();
    (await router.dispatcher().request({ path: "/", method: "GET" })).body.destroy();
    await vanished(() => sums(router).open > 0);
    expect(sums(router)).toMatchObject({ chosen: 2, abandoned: 2 });
  });
});

describe("destroying ends", () => {
  it("a request that waits at the target of a redirect", async () => {
    const [elsewhere] = await standIns(hang);
    const { router } = await routed(answer("", 307, { location: `${elsewhere!.url}/there` }));
    const pending = router.fetch("/");
    pending.catch(() => {});
    await vanished(() => elsewhere!.requests.length === 0);
    const closing = router.close();
    await router.dispatcher().destroy(new Error("the end"));
    await closing;
    await expect(pending).rejects.toMatchObject({ cause: { message: "the end" } });
    expect(sums(router)).toMatchObject({ chosen: 1, done: 1 });
  });

  it("a closing that waits for the body of a redirect, which undici does not read", async () => {
    const { router } = await routed((request, response) => {
      if (request.url === "/new") response.end("there");
      else response.writeHead(302, { location: "/new" }).end("x".repeat(200_000));
    });
    expect(await (await router.fetch("/")).text()).toBe("there");
    const closing = router.close();
    await router.dispatcher().destroy();
    await closing;
  });
});
