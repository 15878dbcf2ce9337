import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openStore } from "@tsallis/service";
import Database from "libsql";
import { afterAll, expect, it } from "vitest";
import { until } from "../../../test/until.js";
import { BanditRegistry } from "../dist/bandit/banditRegistry.js";
import { loadBandit } from "../dist/bandit/loadBandit.js";
import { decide, feedback } from "../dist/bandit/requests.js";
import { Answers } from "./answers.js";
import { live } from "./live.js";

const folder = mkdtempSync(join(tmpdir(), "tsallis-load-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const ROUNDS = 56;

it("a long log without a snapshot: others have their turns while it is replayed, and what is done is saved on the way", async () => {
  const file = join(folder, "long.db");
  const store = await openStore(file);
  const problems: unknown[] = [];
  const options = {
    store,
    now: Date.now,
    maxOpen: 100_000,
    onCommit: () => {},
    onLostRace: () => {},
    onProblem: (error: unknown) => problems.push(error),
  };
  const { queue } = await new BanditRegistry(options).create("b", { arms: ["a", "b"], seed: 1, policy: { policy: "uniform" } });
  for (let round = 0; round < ROUNDS; round++) {
    const ids = Array.from({ length: 1_000 }, (_, i) => `${round}.${i}`);
    await queue.submit(decide(ids.map((id) => ({ id }))));
    await queue.submit(feedback(ids.map((id) => ({ id, feedback: { loss: 1 } }))));
  }
  new Database(file).exec("DELETE FROM snapshot");
  const { id } = (await store.bandit("b"))!;
  let [since, most, isLoading] = [0, 0, true];
  const tick = () => {
    since = 0;
    if (isLoading) setImmediate(tick);
  };
  setImmediate(tick);
  const again = await loadBandit(store, (await store.bandit("b"))!, () => {
    most = Math.max(most, ++since);
  });
  isLoading = false;
  expect(again.state.seq).toBe(ROUNDS * 2_000);
  // Events that are replayed while nobody else has a turn.
  expect(most).toBeLessThanOrEqual(1_000);
  expect((await store.saved(id)).map(({ seq }) => seq)).toEqual([100_000]);
  expect(problems).toEqual([]);
  await store.close();
});

it("a bandit whose log does not replay is counted by readyz and named by a metric; the server is ready for the others", async () => {
  const file = join(folder, "shut.db");
  const first = await live({ store: file });
  const answers = await Answers.of(first.url);
  for (const name of ["fine", "hurt"]) {
    await answers.put(name, { arms: ["a", "b"], seed: 1 });
    await answers.decide(name, { id: "x" });
  }
  await until("it is ready", async () => (await answers.ask("GET", "/readyz")).status === 200);
  expect(await answers.expect(200, "GET", "/readyz")).toEqual({ status: "ok", shut: 0 });
  await first.close();
  new Database(file).exec("DELETE FROM snapshot; UPDATE event SET body = '{}' WHERE bandit = (SELECT id FROM bandit WHERE name = 'hurt')");
  const second = await live({ store: file });
  try {
    const again = await Answers.of(second.url);
    await until("it is ready", async () => (await again.ask("GET", "/readyz")).status === 200);
    expect(await again.expect(200, "GET", "/readyz")).toEqual({ status: "ok", shut: 1 });
    expect((await again.ask("GET", "/metrics")).text).toContain('tsallis_shut{bandit="hurt",code="ERR_REPLAY"} 1\n');
    await again.decide("fine", { id: "y" });
  } finally {
    await second.close();
  }
});
