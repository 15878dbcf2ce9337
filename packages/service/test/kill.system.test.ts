import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { openStore, pruneStore } from "@tsallis/service";
import { stream } from "tsallis";
import { afterAll, expect, it, onTestFinished } from "vitest";
import { soak } from "../../../test/soak.js";
import { until } from "../../../test/until.js";
import { Clients } from "./clients.js";
import { ServerNode } from "./serverNode.js";

const folder = mkdtempSync(join(tmpdir(), "tsallis-kill-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const BANDITS = {
  steady: { holdout: 0.1 },
  fleeting: { windowSeconds: 2, expired: 3, policy: { policy: "htinf", alpha: 1.5, sigma: 1 } },
  guessing: { policy: { policy: "thompson", sigma: 1 }, windowSeconds: 3600 },
};
const KILLS = soak(10, 100);

it(`survives ${KILLS} times kill -9 under load: nothing that was answered is lost, changed or counted twice`, async () => {
  const file = join(folder, "killed.db");
  const node = await ServerNode.serve(file);
  onTestFinished(() => node.end());
  const clients = new Clients({ nodes: [node], bandits: BANDITS, clientsEach: 3, seed: 14 });
  await clients.start();
  const rng = stream(14, "kills");
  const pruned: string[] = [];
  /** As if it were two months later; of what clients still ask about, nothing goes. */
  const prune = async () => {
    const before = await clients.age();
    const store = await openStore(file);
    const export_ = join(folder, `pruned-${pruned.length}.ndjson.gz`);
    const moved = await pruneStore(store, { before, file: export_, now: () => Date.now() + 60 * 86_400_000 });
    if (moved.length > 0) pruned.push(export_);
    await store.close();
  };
  for (let kill = 0; kill < KILLS; kill++) {
    await clients.more(50 + Math.floor(rng.uniform() * 500));
    await setTimeout(rng.uniform() * 30);
    // Now and then it dies while it saves its snapshots, or while it reads its log again.
    if (rng.uniform() < 0.3) {
      node.signal("SIGTERM");
      await setTimeout(rng.uniform() * 100);
    }
    await node.end("SIGKILL");
    if (rng.uniform() < 0.3) {
      const child = spawn(process.execPath, node.args, { stdio: "ignore" });
      await setTimeout(rng.uniform() * 1_000);
      child.kill("SIGKILL");
      if (child.exitCode === null && child.signalCode === null) await once(child, "exit");
    }
    await node.start();
    if (kill % 4 === 3) await prune();
  }
  const acknowledged = await clients.end();
  await node.end("SIGKILL");
  await acknowledged.check(file, pruned);
  expect(pruned.length).toBeGreaterThan(0);
  expect(acknowledged.erasures).toBeGreaterThan(0);
  console.log(`${KILLS} kills, ${pruned.length} prunes, ${acknowledged.erasures} erasures, ${acknowledged.count} answers`);
});

it("on one file with another server that is stopped or killed while it writes: 503 until it is gone or awake, and nothing is lost", async () => {
  const file = join(folder, "shared.db");
  const [writer, other] = [await ServerNode.serve(file), await ServerNode.serve(file)];
  onTestFinished(() => Promise.all([writer.end(), other.end()]).then(() => {}));
  const clients = new Clients({ nodes: [writer, other], bandits: BANDITS, clientsEach: 3, seed: 15 });
  await clients.start();
  const rng = stream(15, "stops");
  let probes = 0;
  const probe = async () => {
    const init = { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify({ id: `probe${++probes}` }) };
    const response = await fetch(`${other.url}/v1/bandits/steady/decisions`, init);
    return { status: response.status, retryAfter: response.headers.get("retry-after"), body: await response.json() };
  };
  for (let stop = 0; stop < soak(2, 20); stop++) {
    await clients.more(100);
    let answer: Awaited<ReturnType<typeof probe>> | undefined;
    await until("it is stopped while it writes", async () => {
      await setTimeout(rng.uniform() * 50);
      writer.stop();
      answer = await probe();
      if (answer.status === 201) writer.wake();
      return answer.status !== 201;
    });
    expect(answer).toMatchObject({ status: 503, retryAfter: "1", body: { code: "ERR_STORE" } });
    if (stop % 2 === 0) writer.wake();
    else await writer.end("SIGKILL").then(() => writer.start());
  }
  await clients.more(100);
  await (await clients.end()).check(file);
});
