// Routes over HTTP: what the function is told, and what becomes of its errors.
import { request, fetch as undiciFetch } from "undici";
import { afterEach, describe, expect, it } from "vitest";
import type { RouteRule } from "../src/http/routeRule.js";
import { closeAll, DOORS, routed } from "./doors.js";
import { answer, echo } from "./standIn.js";

afterEach(closeAll);

describe.each(Object.entries(DOORS))("through %s", (_name, door) => {
  it("the function is told method, path and headers, and its name is the route", async () => {
    const told: unknown[] = [];
    const route: RouteRule = ({ method, path, headers }) => {
      told.push([method, path, headers["x-mark"]]);
      return `${method} ${path.split("?")[0]}`;
    };
    const { router, servers } = await routed(echo, { route }, "/base");
    expect(await door(router, "/items?page=2", { headers: { "X-Mark": "m" } })).toMatchObject({ status: 200, headers: { "x-seen": "m" } });
    await door(router, "/items", { method: "POST", body: "x" });
    expect(told).toEqual([
      ["GET", "/items?page=2", "m"],
      ["POST", "/items", undefined],
    ]);
    expect(servers.flatMap(({ requests }) => requests.map(({ url }) => url)).sort()).toEqual(["/base/items", "/base/items?page=2"]);
    expect(router.explain().routes).toEqual(["GET /items", "POST /items"]);
    expect(router.explain({ route: "GET /items" }).rounds).toBe(1);
    expect(router.metrics()).toContain(`route="POST /items"`);
  });

  it.each<[string, RouteRule]>([
    [
      "throws",
      () => {
        throw new Error("planted");
      },
    ],
    ["returns nothing", () => undefined as never],
    ["returns a number", () => 5 as never],
    ["returns an empty name", () => ""],
    ["returns a name that is too long", () => "x".repeat(201)],
    ["returns a promise", () => Promise.resolve("x") as never],
  ])("a function that %s is an error to the caller, and nothing is sent or counted", async (_, route) => {
    const { router, servers } = await routed(answer("x"), { route });
    await expect(door(router, "/")).rejects.toMatchObject({
      name: "RouterError",
      code: "ERR_ROUTE",
      parameter: "route",
      message: expect.stringMatching(/must/),
    });
    expect(servers.flatMap(({ requests }) => requests)).toEqual([]);
    expect(router.explain()).toMatchObject({ rounds: 0, routes: [] });
    expect(router.explain().upstreams.every(({ chosen, open }) => chosen === 0 && open === 0)).toBe(true);
  });
});

function* pairs(): Generator<[string, string]> {
  yield ["X-Mark", "m"];
  yield ["x-other", "o"];
}

describe("the headers of a request to the dispatcher", () => {
  it.each<[string, () => unknown]>([
    ["a record", () => ({ "X-Mark": "m", "x-other": "o" })],
    ["a flat list", () => ["X-Mark", "m", "x-other", "o"]],
    ["a map", () => new Map(pairs())],
    ["pairs that can be read only once", pairs],
    ["Headers", () => new Headers([...pairs()])],
  ])("may be %s: the function sees them, and so does the upstream", async (_, headers) => {
    const told: unknown[] = [];
    const { router, servers } = await routed(echo, { route: (asked) => `all${told.push({ ...asked.headers })}` });
    const { body } = await request("http://anything.invalid/", { dispatcher: router.dispatcher(), headers: headers() as never });
    await body.dump();
    expect(told).toEqual([{ "x-mark": "m", "x-other": "o" }]);
    expect(servers.flatMap(({ requests }) => requests.map(({ headers: got }) => [got["x-mark"], got["x-other"]]))).toEqual([["m", "o"]]);
  });

  it.each([5, "x", [["a", "b", "c"]], new Set([5])])("that undici refuses are refused by undici: %j", async (headers) => {
    const { router } = await routed(echo, { route: () => "all" });
    await expect(request("http://anything.invalid/", { dispatcher: router.dispatcher(), headers: headers as never })).rejects.toMatchObject({
      code: "UND_ERR_INVALID_ARG",
    });
  });
});

it("a method is told in one spelling, whichever fetch sends it", async () => {
  const told: string[] = [];
  const { router } = await routed(echo, { route: ({ method }) => `all${told.push(method)}` });
  await (await router.fetch("/", { method: "get" })).text();
  await (await undiciFetch("http://anything.invalid/", { method: "get", dispatcher: router.dispatcher() })).text();
  expect(told).toEqual(["GET", "GET"]);
});
