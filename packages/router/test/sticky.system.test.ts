// Sessions over HTTP, through each door.
import { afterEach, describe, expect, it } from "vitest";
import { closeAll, DOORS, routed } from "./doors.js";
import { answer } from "./standIn.js";

afterEach(closeAll);

describe.each(Object.entries(DOORS))("through %s", (_name, door) => {
  it("requests with the same key go to the same upstream; those without one are free", async () => {
    const { router, servers } = await routed(answer("x"), { sticky: ({ headers }) => headers.session as string | undefined });
    for (let session = 0; session < 8; session++) {
      const before = servers.map(({ requests }) => requests.length);
      for (let i = 0; i < 5; i++) await door(router, "/", { headers: { session: `s${session}` } });
      const grown = servers.map(({ requests }, i) => requests.length - before[i]!);
      expect(grown.sort()).toEqual([0, 5]);
    }
    for (let i = 0; i < 10; i++) await door(router, "/");
    expect(router.explain()).toMatchObject({ rounds: 18, sticky: { sessions: 8, kept: 32 } });
  });

  it("a session goes on where its retry was answered", async () => {
    const { router, servers } = await routed(answer("x"), { retry: { budget: 1 }, sticky: () => "one" });
    await door(router, "/");
    const [at, other] = servers[0]!.requests.length === 1 ? servers : [servers[1]!, servers[0]!];
    at!.behaviour = answer("no", 503);
    expect(await door(router, "/")).toMatchObject({ status: 200 });
    at!.behaviour = answer("x");
    for (let i = 0; i < 5; i++) await door(router, "/");
    expect([at!.requests.length, other!.requests.length]).toEqual([2, 6]);
    expect(router.explain().sticky).toMatchObject({ sessions: 1, left: { failed: 1 } });
  });

  it("a key that is none is an error of the request", async () => {
    const { router } = await routed(answer("x"), { sticky: () => 5 as never });
    await expect(door(router, "/")).rejects.toMatchObject({ code: "ERR_OPTION", parameter: "sticky" });
  });
});
