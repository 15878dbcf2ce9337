import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { stream } from "tsallis";
import { afterAll, expect, it, onTestFinished } from "vitest";
import { tsallis } from "../../cli/test/command.js";
import { ServerNode } from "./serverNode.js";

const folder = mkdtempSync(join(tmpdir(), "tsallis-evaluation-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const KILLS = 4;
const BATCH = 1_000;

it(`kill -9, ${KILLS} times: the evaluation is the same before and after, and audit finds it in the log`, async () => {
  const file = join(folder, "killed.db");
  const node = await ServerNode.serve(file);
  onTestFinished(() => node.end());
  const ask = async (method: string, path: string, body?: object) => {
    const response = await fetch(`${node.url}/v1/bandits/shop${path}`, {
      method,
      ...(body === undefined ? {} : { headers: { "content-type": "application/json" }, body: JSON.stringify(body) }),
    });
    expect(response.status, path).toBeLessThan(300);
    return response.json() as Promise<Record<string, never>>;
  };
  await ask("PUT", "", { arms: ["a", "b"], seed: 1, cap: 40, holdout: 0.1 });
  const rng = stream(3, "kills");
  let decisions = 0;
  for (let kill = 0; kill < KILLS; kill++) {
    // More events than a snapshot waits for.
    for (let batch = 0; batch < 7; batch++) {
      const asked = Array.from({ length: BATCH }, () => ({ id: `o${decisions++}` }));
      const { decisions: made } = (await ask("POST", "/decisions:batch", { decisions: asked })) as unknown as {
        decisions: { id: string; arm: string }[];
      };
      const feedback = made.map(({ id, arm }) => ({ id, loss: (arm === "a" ? 1 : 1.5) * rng.open() ** -0.6 })).reverse();
      // A few stay open.
      await ask("POST", "/feedback", { feedback: feedback.slice(batch === 6 ? 3 : 0) });
    }
    const before = await ask("GET", "/evaluation");
    expect(before.decisions).toBeGreaterThan(6_000);
    await node.end("SIGKILL");
    await node.start();
    expect(await ask("GET", "/evaluation")).toStrictEqual(before);
  }
  await node.end("SIGKILL");
  const { code, stdout } = await tsallis(["audit", "--db", file]);
  expect({ code, stdout }).toEqual({ code: 0, stdout: expect.stringContaining("all as recorded, bit for bit") });
});
