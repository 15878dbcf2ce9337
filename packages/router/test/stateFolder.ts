import { mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach } from "vitest";
import { createRouter } from "../src/createRouter.js";
import type { Router } from "../src/router.js";
import type { RouterOptions } from "../src/routerOptions.js";
import type { StateOptions } from "../src/state/stateKeeper.js";

/** The folder of the present test, removed after it. */
export let folder: string;
export let file: string;
const routers: Router[] = [];

/** Gives each test of the file that calls it a folder. */
export function useStateFolder(): void {
  beforeEach(() => {
    folder = realpathSync(mkdtempSync(join(tmpdir(), "tsallis-router-")));
    file = join(folder, "state.json");
  });

  afterEach(async () => {
    await Promise.all(routers.splice(0).map((router) => router.close().catch(() => {})));
    rmSync(folder, { recursive: true, force: true });
  });
}

export function make(options: Partial<RouterOptions> & { state?: string | StateOptions } = {}): Router {
  const router = createRouter({ upstreams: ["a", "b"], seed: 1, state: file, ...options });
  routers.push(router);
  return router;
}

export function play(router: Router, rounds: number): void {
  for (let i = 0; i < rounds; i++) {
    const ticket = router.choose();
    if (i % 10 === 9) ticket.failed();
    else ticket.done((ticket.upstream === "a" ? 0.01 : 0.02) * (1 + (i % 3)));
  }
}

/** Everything except where the state is kept and what the clock said. */
export function known(router: Router): unknown {
  const text = JSON.stringify({ ...router.explain(), state: null, snapshot: router.snapshot() });
  return JSON.parse(text, (key, value) => (key === "time" ? null : value));
}
