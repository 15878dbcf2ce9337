import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { auditStore, createService, openStore, type ServiceEvent } from "@tsallis/service";
import { afterAll, expect, it, onTestFinished } from "vitest";
import { until } from "../../../test/until.js";

const PROGRAM = fileURLToPath(new URL("embeddedProcess.mjs", import.meta.url));
const folder = mkdtempSync(join(tmpdir(), "tsallis-embedded-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

it("a service inside a program decides, learns and answers as over HTTP, on the same log", async () => {
  const events: ServiceEvent[] = [];
  const file = join(folder, "one.db");
  const service = createService<{ checkout: "classic" | "express" }>({ store: file, port: 0, onEvent: (event) => events.push(event) });
  const checkout = service.bandit("checkout");
  expect(await checkout.create({ arms: ["classic", "express"], seed: 7, segments: ["app"] })).toMatchObject({ name: "checkout", seq: 0 });

  const decision = await checkout.decide({ id: "order-1" });
  expect(decision).toMatchObject({ id: "order-1", bandit: "checkout", round: 1, probability: 0.5, holdout: false });
  expect(await checkout.decide({ id: "order-1" })).toEqual({ ...decision, repeated: true });
  expect(await checkout.feedback(decision, { loss: 4.2 })).toEqual({ status: "applied" });
  expect(await checkout.feedback({ id: "order-1" }, { loss: 4.2 })).toEqual({ status: "repeated" });
  expect(await checkout.decide({ segment: "app" })).toMatchObject({ segment: "app", round: 1 });
  expect(await checkout.decision("order-1")).toMatchObject({ seq: 1, outcome: { status: "answered", loss: 4.2 } });
  expect(await checkout.evaluation()).toMatchObject({ error: 0.05, tolerance: 0 });
  const { id } = await checkout.decide({ id: "erased" });
  expect([await checkout.erase(id), await checkout.erase(id)]).toEqual([2, 0]);
  expect(await checkout.change({ holdout: 0.25 })).toMatchObject({ document: { holdout: 0.25 } });
  expect(await checkout.view({ segment: "app" })).toMatchObject({ segment: "app", round: 1, counters: { decisions: 3, answered: 1 } });

  // The same bandit over HTTP, in the same process.
  const url = await service.listen();
  const there = await (await fetch(`${url}v1/bandits/checkout`)).json();
  expect(there).toEqual(await checkout.view());
  expect((await fetch(url)).status).toBe(200);
  await service.close();
  expect(events.map(({ event }) => event).filter((event) => event !== "request")).toEqual(["listening", "head", "stopped"]);
  await expect(checkout.decide()).rejects.toMatchObject({ code: "ERR_STORE", message: "the service is closed; create another one" });

  const store = await openStore(file);
  expect(await auditStore(store)).toMatchObject([{ differs: null, events: 7, decisions: 3 }]);
  await store.close();
});

it("refuses what HTTP refuses, with the same codes, and unknown keys", async () => {
  const service = createService({ store: join(folder, "refused.db") });
  onTestFinished(() => service.close());
  const bandit = service.bandit("b");
  await expect(bandit.decide({ id: "x" })).rejects.toMatchObject({ code: "ERR_UNKNOWN_BANDIT" });
  await expect(service.bandit("no name").create({ arms: ["a", "b"] })).rejects.toMatchObject({ code: "ERR_BODY", parameter: "name" });
  await expect(bandit.create({ arms: ["a"] })).rejects.toMatchObject({ code: "ERR_BODY", parameter: "arms" });
  await expect(bandit.create({ arms: ["a", "b"], policy: { policy: "htinf", alpha: 3 } as never })).rejects.toMatchObject({ code: "ERR_PARAMETER" });
  await bandit.create({ arms: ["a", "b"] });
  await expect(bandit.create({ arms: ["a", "c"] })).rejects.toMatchObject({ code: "ERR_BANDIT_DIFFERS" });
  await expect(bandit.decide({ ids: "x" } as never)).rejects.toMatchObject({ code: "ERR_BODY", parameter: "ids" });
  await expect(bandit.decide({ segment: "app" })).rejects.toMatchObject({ code: "ERR_UNKNOWN_SEGMENT" });
  const { id, arm } = await bandit.decide();
  await expect(bandit.feedback({ id, arm: arm === "a" ? "b" : "a" }, { loss: 1 })).rejects.toMatchObject({ code: "ERR_ARM_DIFFERS" });
  await expect(bandit.feedback({ id }, { loss: Number.NaN })).rejects.toMatchObject({ code: "ERR_LOSS", parameter: "loss" });
  await expect(bandit.feedback({ id }, {} as never)).rejects.toMatchObject({ code: "ERR_BODY" });
  await expect(bandit.feedback({ id: "other" }, { loss: 1 })).rejects.toMatchObject({ code: "ERR_UNKNOWN_DECISION" });
  await expect(bandit.evaluation({ index: 0.5 })).rejects.toMatchObject({ code: "ERR_PARAMETER", parameter: "index" });
});

it("a store that cannot be opened refuses each call, and the next call tries again", async () => {
  const service = createService({ store: join(folder, "later", "b.db") });
  const bandit = service.bandit("b");
  await expect(bandit.decide()).rejects.toMatchObject({ code: "ERR_STORE" });
  await expect(bandit.decide()).rejects.toMatchObject({ code: "ERR_STORE" });
  await service.close();
});

it("two processes on one file are as one: each id is decided once, learned once, and answered alike to both", async () => {
  const file = join(folder, "two.db");
  const count = 60;
  const programs = ["one", "two"].map((own) => {
    const program = spawn(process.execPath, [PROGRAM, file, own, `${count}`], { stdio: ["ignore", "pipe", "pipe"] });
    onTestFinished(() => void program.kill("SIGKILL"));
    const printed = { text: "", error: "" };
    program.stdout.setEncoding("utf8").on("data", (text: string) => (printed.text += text));
    program.stderr.setEncoding("utf8").on("data", (text: string) => (printed.error += text));
    return { program, printed };
  });
  await until("both have ended", () => programs.every(({ program }) => program.exitCode !== null));
  expect(programs.map(({ program, printed }) => [program.exitCode, printed.error])).toEqual([
    [0, ""],
    [0, ""],
  ]);
  const told = programs.flatMap(({ printed }) =>
    printed.text
      .split("\n")
      .filter((line) => line.startsWith("{"))
      .map((line) => JSON.parse(line) as { decision: { id: string }; isNew: boolean; status: string }),
  );
  expect(told).toHaveLength(4 * count);
  const byId = new Map<string, typeof told>();
  for (const one of told) byId.set(one.decision.id, [...(byId.get(one.decision.id) ?? []), one]);
  expect(byId.size).toBe(3 * count);
  for (const [id, answers] of byId) {
    expect(answers, id).toHaveLength(id.startsWith("both") ? 2 : 1);
    for (const { decision } of answers) expect(decision).toEqual(answers[0]!.decision);
    expect(
      answers.filter(({ status }) => status === "applied"),
      id,
    ).toHaveLength(1);
    expect(answers.filter(({ isNew }) => isNew).length, id).toBe(1);
  }
  const store = await openStore(file);
  expect(await auditStore(store)).toMatchObject([{ differs: null, events: 6 * count, decisions: 3 * count }]);
  await store.close();
});
