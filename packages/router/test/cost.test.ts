import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { createRouter } from "../src/createRouter.js";
import type { Router } from "../src/router.js";
import type { RouterOptions } from "../src/routerOptions.js";

const LATENCY: Record<string, number> = { near: 0.02, far: 0.06 };

function play(router: Router, rounds = 600): void {
  for (let i = 0; i < rounds; i++) {
    const ticket = router.choose();
    // Some jitter, so that the policy has a scale.
    ticket.done(LATENCY[ticket.upstream]! * (1 + (i % 7) / 50));
  }
}

const make = (options: Partial<RouterOptions> = {}) => createRouter({ upstreams: ["near", "far"], seed: 1, ...options });

describe.each([["matched-tinf"], ["ucb1"]])("with %s", (policy) => {
  it("an upstream that is faster is not preferred if it costs more than that is worth", () => {
    for (const [cost, wanted] of [
      [{ near: 0.03 }, "near"],
      [{ near: 0.05 }, "far"],
      [{ near: 0.05, far: 0.02 }, "near"],
    ] as const) {
      const router = make({ cost, policy: { policy } });
      play(router, 2000);
      const [near, far] = router.explain().upstreams;
      expect(near!.chosen > far!.chosen ? "near" : "far").toBe(wanted);
    }
  });
});

it("explain() shows it, and says why", () => {
  const router = make({ cost: { near: 0.5 } });
  play(router);
  const { upstreams, favourite, why } = router.explain();
  expect(upstreams.map(({ cost }) => cost)).toEqual([0.5, 0]);
  // What was measured stays what it was.
  expect(upstreams[0]!.recent!.p50).toBeLessThan(0.03);
  expect(favourite).toBe("far");
  expect(why).toMatch(
    /^far is the favourite with .*: the median of its last \d+ losses, with its cost, is 0\.06\d+ against 0\.52\d* for the next \(near\), /,
  );
});

it("a function is asked at every choice, so a price may change", () => {
  let price = 0;
  const router = make({ cost: (upstream) => (upstream === "near" ? price : 0) });
  play(router);
  expect(router.explain().favourite).toBe("near");
  price = 1;
  play(router);
  expect(router.explain().favourite).toBe("far");
});

it("a cost of 0 changes no bit", () => {
  const chosen = (options: Partial<RouterOptions>) => {
    const router = make(options);
    return Array.from({ length: 400 }, () => {
      const ticket = router.choose();
      ticket.done(LATENCY[ticket.upstream]!);
      return [ticket.upstream, ticket.probability];
    });
  };
  expect(chosen({ cost: () => 0 })).toEqual(chosen({}));
});

it.each([Number.NaN, -1, "1", undefined])("a function that returns %s is refused at the choice, and nothing is counted", (value) => {
  const router = make({ cost: () => value as number });
  expect(() => router.choose()).toThrow(expect.objectContaining({ code: "ERR_OPTION", parameter: "cost" }));
});

it("over HTTP the refusal reaches the caller as an error of its request", async () => {
  const router = createRouter({ upstreams: ["http://127.0.0.1:9", "http://127.0.0.1:10"], cost: () => Number.NaN });
  await expect(router.fetch("/")).rejects.toMatchObject({ code: "ERR_OPTION" });
  await expect(router.dispatcher().request({ path: "/", method: "GET" })).rejects.toMatchObject({ code: "ERR_OPTION" });
  await router.close();
});

it("the log has it in the loss, since that is what is minimised; what was measured stays in the seconds", async () => {
  const folder = mkdtempSync(join(tmpdir(), "tsallis-"));
  let time = 0;
  const router = make({ cost: { near: 2, far: 2 }, penalty: 10, log: folder, clockSeconds: () => time });
  router.choose().done(0.5);
  const ticket = router.choose();
  time = 1;
  ticket.failed();
  router.choose().abandoned();
  await router.close();
  const [name] = readdirSync(folder);
  const lines = readFileSync(join(folder, name!), "utf8").trim().split("\n");
  rmSync(folder, { recursive: true });
  expect(lines.map((line) => JSON.parse(line)).map(({ loss, outcome }) => [loss, outcome])).toEqual([
    [2.5, "done"],
    [12, "failed"],
    [null, "abandoned"],
  ]);
});
