import { auditStore, openStore } from "@tsallis/service";
import Database from "libsql";
import { lomax, stream } from "tsallis";
import { DecisionOrder, Evaluation } from "tsallis/evidence";
import { expect, it, onTestFinished } from "vitest";
import { digest } from "../dist/log/digest.js";
import { Answers } from "./answers.js";
import { type Live, live } from "./live.js";

const ARMS = ["a", "b", "c"];
const LOSSES = [1, 1.3, 2].map((mean) => lomax({ shape: 1.8, scale: 0.8 * mean }));
const BATCH = 200;

/** A service with a bandit that has made so many decisions; feedback comes late and out of order, and some of it never. */
async function played(count: number, document: object): Promise<{ service: Live; answers: Answers; evaluation(query?: string): Promise<unknown> }> {
  const service = await live();
  onTestFinished(() => service.remove());
  const answers = await Answers.of(service.url);
  await answers.expect(201, "PUT", "/v1/bandits/shop", { body: { arms: ARMS, seed: 4, segments: ["eu"], ...document } });
  const rng = stream(4, "shop");
  let waiting: { id: string; loss: number }[] = [];
  for (let made = 0; made < count; made += BATCH) {
    const decisions = Array.from({ length: BATCH }, (_, i) => ({ id: `o${made + i}`, ...(i % 2 === 0 ? {} : { segment: "eu" }) }));
    const answer = await answers.expect(200, "POST", "/v1/bandits/shop/decisions:batch", { body: { decisions } });
    for (const { id, arm } of answer.decisions) waiting.push({ id, loss: LOSSES[ARMS.indexOf(arm)]!.sample(rng) });
    // In an order of its own.
    const places = new Map(waiting.map((one) => [one, rng.uniform()]));
    waiting.sort((one, other) => places.get(one)! - places.get(other)!);
    const feedback = waiting.slice(0, BATCH);
    waiting = waiting.slice(BATCH - 20);
    await answers.expect(200, "POST", "/v1/bandits/shop/feedback", { body: { feedback: feedback.slice(0, BATCH - 20) } });
  }
  if (waiting.length > 0) await answers.expect(200, "POST", "/v1/bandits/shop/feedback", { body: { feedback: waiting.slice(5) } });
  return {
    service,
    answers,
    evaluation: (query = "") => answers.expect(200, "GET", `/v1/bandits/shop/evaluation${query}`),
  };
}

/** The same from the exported log, by the library alone. */
function byTheLog(log: string, segment: string | undefined, share: number): { still: Evaluation; moving: Evaluation } {
  const limits = { arms: ARMS.length, cap: 30, holdout: share };
  const found = { still: new Evaluation(limits), moving: new Evaluation({ ...limits, moving: true }) };
  const order = new DecisionOrder<{ arm: number; holdout: boolean; segment: string }>();
  for (const line of log.trimEnd().split("\n").slice(1)) {
    const { kind, decision, segment: its, body } = JSON.parse(line);
    if (kind === "decision") order.decided(decision, { arm: body.number, holdout: body.holdout, segment: its });
    else if (kind === "feedback" || kind === "expiry") order.ended(decision, body.loss);
    for (const { item, loss } of order.settled()) {
      if (segment !== undefined && item.segment !== segment) continue;
      found.still.add({ arm: item.arm, loss, holdout: item.holdout });
      found.moving.add({ arm: item.arm, loss, holdout: item.holdout });
    }
  }
  return found;
}

it("the answer is that of a plain Evaluation over the exported log, bit for bit, and a restart keeps it", async () => {
  const { service, answers, evaluation } = await played(3_000, { cap: 30, holdout: 0.2 });
  const { text } = await answers.ask("GET", "/v1/bandits/shop/log?limit=1000000");
  for (const segment of [undefined, "eu"]) {
    const answer = (await evaluation(segment === undefined ? "" : `?segment=${segment}`)) as Record<string, never>;
    const { still, moving } = byTheLog(text, segment, 0.2);
    expect(still.rounds).toBeGreaterThan(500);
    const compared = answer.source === "all plays" ? still : moving;
    expect(answer).toMatchObject({
      decisions: still.rounds,
      saved: compared.savings(),
      uniform: compared.uniform(),
      policy: { range: still.policy().interval() },
      arms: ARMS.map((arm, i) => ({ arm, range: compared.arm(i).interval(), answered: compared.arm(i).count })),
    });
    const verdict = compared.verdict();
    expect(answer.verdict).toMatchObject({ evidence: verdict.evidence[verdict.leader!], needed: verdict.needed });
  }
  const before = [await evaluation(), await evaluation("?segment=eu"), await evaluation("?error=0.1&tolerance=0.5&index=1.5")];
  await service.close({ keep: true });
  const again = await live({ store: service.file });
  onTestFinished(() => again.close());
  const after = await Answers.of(again.url);
  const queries = ["", "?segment=eu", "?error=0.1&tolerance=0.5&index=1.5"];
  const found = await Promise.all(queries.map((query) => after.expect(200, "GET", `/v1/bandits/shop/evaluation${query}`)));
  expect(found).toStrictEqual(before);
});

it("audit recomputes the evidence of snapshots, and notices one that was changed and sealed again", async () => {
  const { service } = await played(600, { cap: 30 });
  await service.close({ keep: true });
  const audited = async () => {
    const store = await openStore(service.file);
    try {
      return (await auditStore(store))[0]!;
    } finally {
      await store.close();
    }
  };
  expect((await audited()).differs).toBeNull();
  const database = new Database(service.file);
  const [[seq, body]] = database.prepare("SELECT seq, body FROM snapshot WHERE part = 'bandit'").raw().all([]) as [[number, string]];
  const text = body.slice(32).replace(/"settledSeq":(\d+)/, (_, its) => `"settledSeq":${Number(its) - 1}`);
  expect(text).not.toBe(body.slice(32));
  database.prepare("UPDATE snapshot SET body = ? WHERE part = 'bandit'").run([digest(text) + text]);
  database.close();
  expect((await audited()).differs).toEqual({
    seq,
    message: expect.stringContaining(`the snapshot bandit of event ${seq} is not what the log gives`),
  });
});

it("refuses what cannot be answered, and changes nothing", async () => {
  const { service, answers, evaluation } = await played(200, { cap: 30 });
  onTestFinished(() => service.close());
  const before = await evaluation();
  for (const [query, message] of [
    ["index=1", "index must be a number above 1, got 1; the losses may have no mean; the capped figures stand"],
    ["error=0", "error must be >= 0.000001, got 0"],
    ["error=0.6", "error must be <= 0.5, got 0.6"],
    ["tolerance=-1", 'tolerance must be number, got "-1"'],
    ["cap=3", '"cap": unknown key'],
  ]) {
    const { detail } = await answers.expect(422, "GET", `/v1/bandits/shop/evaluation?${query}`);
    expect(detail).toBe(message);
  }
  for (const body of [{ cap: 0 }, { cap: -1 }, { cap: "20" }]) {
    const problem = await answers.expect(422, "PATCH", "/v1/bandits/shop", { body });
    expect(problem).toMatchObject({ code: "ERR_BODY", parameter: "cap" });
  }
  expect(await evaluation()).toStrictEqual(before);
  const patched = await answers.expect(200, "PATCH", "/v1/bandits/shop", { body: { cap: 5 } });
  expect(patched.document.cap).toBe(5);
  expect(await evaluation()).toMatchObject({ cap: 5, decisions: 0, startedBy: "cap", since: patched.seq });
  await answers.expect(200, "PATCH", "/v1/bandits/shop", { body: { cap: null } });
  expect(await evaluation()).toMatchObject({ cap: null, isGuess: true });
});
