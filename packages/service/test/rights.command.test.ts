import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { Answers } from "./answers.js";
import { type Live, live } from "./live.js";

let service: Live;
let answers: Answers;
const DECISIONS = "/v1/bandits/shop/decisions";
const id = (number: number) => `${number}`.padStart(32, "0");
beforeAll(async () => {
  service = await live({ maxOpen: 40 }, [
    { role: "admin", note: "Ada" },
    { role: "decide", note: "shop" },
    { role: "browser", note: "pages" },
    { role: "browser", note: "other pages" },
  ]);
  answers = await Answers.of(service.url, service.keys[0]!.key);
  await answers.put("shop", { arms: ["a", "b", "c"], seed: 1, segments: ["app"] });
});
afterAll(() => service.close());
const [admin, decider, page, otherPage] = [0, 1, 2, 3].map((place) => () => service.keys[place]!) as [
  () => Live["keys"][0],
  () => Live["keys"][0],
  () => Live["keys"][0],
  () => Live["keys"][0],
];
const decide = (key: string, body: object = {}) => answers.ask("POST", DECISIONS, { key, body });
const feedback = (key: string, decision: string, body: object) => answers.ask("POST", `${DECISIONS}/${decision}/feedback`, { key, body });

describe("feedback that names its arm", () => {
  it("is refused if another arm was decided, whoever sends it, and the right one is taken then", async () => {
    const { arm } = await answers.decide("shop", { id: "order-1" });
    const other = arm === "a" ? "b" : "a";
    const refused = await answers.refused(409, "ERR_ARM_DIFFERS", "POST", `${DECISIONS}/order-1/feedback`, { body: { loss: 1, arm: other } });
    expect(refused.json).toMatchObject({ parameter: "arm", recorded: arm });
    const batch = {
      feedback: [
        { id: "order-1", loss: 1, arm: other },
        { id: "order-1", loss: 2, arm },
      ],
    };
    const { feedback: results } = await answers.expect(200, "POST", "/v1/bandits/shop/feedback", { body: batch });
    expect(results).toMatchObject([{ error: { code: "ERR_ARM_DIFFERS" } }, { status: "applied" }]);
    await answers.refused(409, "ERR_ARM_DIFFERS", "POST", `${DECISIONS}/order-1/feedback`, { body: { loss: 2, arm: other } });
    expect(await answers.feedback("shop", "order-1", { loss: 2, arm })).toEqual({ status: "repeated" });
  });

  it("has either a loss or a reward", async () => {
    await answers.refused(422, "ERR_BODY", "POST", `${DECISIONS}/order-1/feedback`, { body: { arm: "a" } });
    await answers.refused(422, "ERR_BODY", "POST", `${DECISIONS}/order-1/feedback`, { body: { loss: 1, reward: 1 } });
  });
});

describe("a browser's key", () => {
  it("decides one by one, and gives feedback with the token of its decision only", async () => {
    const made = await decide(page().key, { id: id(1) });
    expect([made.status, made.json]).toMatchObject([201, { token: expect.stringMatching(/^[A-Za-z0-9_-]{32}$/) }]);
    const { token, arm } = made.json;
    for (const wrong of [{}, { token: "x" }, { token: token.replace(/^./, token.startsWith("A") ? "B" : "A") }]) {
      const { status, json } = await feedback(page().key, id(1), { loss: 1, ...wrong });
      expect([status, json?.code]).toEqual([403, "ERR_TOKEN"]);
    }
    expect((await feedback(page().key, id(1), { loss: 1, arm, token })).json).toEqual({ status: "applied" });
    // The same id again gives the same token, since an answer may be lost.
    expect((await decide(page().key, { id: id(1) })).json).toMatchObject({ token, repeated: true });
    const another = await decide(page().key);
    expect((await feedback(page().key, another.json.id, { loss: 1, token })).status).toBe(403);
  });

  it("cannot guess: its ids are long, and decisions of other keys are not shown to it", async () => {
    await answers.refused(422, "ERR_BODY", "POST", DECISIONS, { key: page().key, body: { id: "order-1" } });
    await decide(decider().key, { id: id(2) });
    expect((await decide(page().key, { id: id(2) })).json?.code).toBe("ERR_ID_TAKEN");
    expect((await decide(otherPage().key, { id: id(1) })).json?.code).toBe("ERR_ID_TAKEN");
    await answers.feedback("shop", id(2), { loss: 1 });
  });

  it.each([
    ["POST", `${DECISIONS}:batch`, { decisions: [{}] }],
    ["POST", "/v1/bandits/shop/feedback", { feedback: [{ id: "x", loss: 1 }] }],
    ["POST", "/v1/bandits/shop/expire", {}],
    ["PATCH", "/v1/bandits/shop", { holdout: 0 }],
    ["GET", "/v1/bandits/shop", undefined],
    ["GET", `${DECISIONS}/order-1`, undefined],
    ["GET", "/v1/bandits/shop/log", undefined],
    ["GET", "/metrics", undefined],
  ])("may not %s %s", async (method, path, body) => {
    await answers.refused(403, "ERR_ROLE", method, path, { key: page().key, body });
  });

  it("a second server of the store accepts the token of the first", async () => {
    const second = await live({ store: service.file });
    try {
      const there = await Answers.of(second.url);
      const { json } = await decide(page().key, { id: id(3) });
      const body = { loss: 1, token: json.token };
      const path = `${DECISIONS}/${id(3)}/feedback`;
      expect(await there.expect(200, "POST", path, { key: page().key, body })).toEqual({ status: "applied" });
    } finally {
      await second.close();
    }
  });
});

describe("open decisions", () => {
  it("of a key are limited, so that no key shuts a bandit: half for decide, a tenth for a browser; the operator ends them", async () => {
    const before = (await answers.view("shop")).counters.open;
    const status = async (key: string, count: number) => {
      const made: number[] = [];
      for (let i = 0; i < count; i++) made.push((await decide(key)).status);
      return made;
    };
    expect(before).toBe(1);
    // One of its own is open from before.
    expect(await status(page().key, 5)).toEqual([201, 201, 201, 429, 429]);
    expect(await status(decider().key, 21)).toEqual([...new Array(20).fill(201), 429]);
    expect(await status(otherPage().key, 1)).toEqual([201]);
    expect(await answers.expect(200, "POST", "/v1/bandits/shop/expire", { body: { key: page().id } })).toEqual({ expired: 4 });
    expect(await status(page().key, 1)).toEqual([201]);
    const again = await live({ store: service.file, maxOpen: 40 });
    try {
      // The counts are those of the log: another server has the same.
      const there = await Answers.of(again.url);
      await there.refused(429, "ERR_OPEN_LIMIT", "POST", DECISIONS, { key: decider().key, body: {} });
    } finally {
      await again.close();
    }
    expect(await answers.expect(200, "POST", "/v1/bandits/shop/expire", { body: {} })).toEqual({ expired: 22 });
    expect((await answers.view("shop")).counters).toMatchObject({ open: 0, expired: 26 });
  });

  it("of an archived bandit stay open, and the answer says so", async () => {
    await answers.put("gone", { arms: ["a", "b"] });
    await answers.decide("gone", { id: "stays" });
    await answers.expect(200, "PATCH", "/v1/bandits/gone", { body: { state: "archived" } });
    expect(await answers.expect(200, "POST", "/v1/bandits/gone/expire", { body: {} })).toEqual({ expired: 0 });
  });

  it("that an operator ended teach nothing, and the log says who it was", async () => {
    await answers.expect(200, "PATCH", "/v1/bandits/shop", { body: { expired: 5 } });
    await answers.decide("shop", { id: "ended" });
    await answers.expect(200, "POST", "/v1/bandits/shop/expire", { body: {} });
    const { outcome } = await answers.expect(200, "GET", `${DECISIONS}/ended`);
    expect(outcome).toMatchObject({ status: "expired", loss: null, learned: false });
    const { text } = await answers.ask("GET", "/v1/bandits/shop/log?limit=1000");
    const last = JSON.parse(text.trimEnd().split("\n").at(-1)!);
    expect(last).toMatchObject({ kind: "expiry", body: { loss: null, by: `${admin().id} (Ada)` } });
    expect(await answers.feedback("shop", "ended", { loss: 1 })).toEqual({ status: "late" });
  });
});

describe("segments", () => {
  it("are those of the document; others are refused, and take no room", async () => {
    await answers.refused(422, "ERR_UNKNOWN_SEGMENT", "POST", DECISIONS, { body: { segment: "mine" } });
    expect((await answers.view("shop")).segments).toEqual([]);
    await answers.decide("shop", { id: "app-1", segment: "app" });
    await answers.expect(200, "PATCH", "/v1/bandits/shop", { body: { segments: ["web"] } });
    await answers.refused(422, "ERR_UNKNOWN_SEGMENT", "POST", DECISIONS, { body: { segment: "app" } });
    expect(await answers.feedback("shop", "app-1", { loss: 1 })).toEqual({ status: "applied" });
    await answers.decide("shop", { segment: "web" });
    expect(await answers.view("shop")).toMatchObject({ segments: ["app", "web"], document: { segments: ["web"] } });
  });
});

describe("a change", () => {
  const patch = (body: object, headers = {}) => answers.ask("PATCH", "/v1/bandits/shop", { body, headers });

  it("that is repeated writes nothing; the log says whose it was", async () => {
    await patch({ windowSeconds: 100, holdout: 0.1 });
    const seq = await answers.seq("shop");
    await patch({ windowSeconds: 100, holdout: 0.1 });
    expect(await answers.seq("shop")).toBe(seq);
    const { text } = await answers.ask("GET", `/v1/bandits/shop/log?after=${seq - 1}`);
    const { body } = JSON.parse(text.trimEnd().split("\n")[1]!);
    expect(body).toEqual({ windowSeconds: 100, holdout: 0.1, by: `${admin().id} (Ada)` });
  });

  it("with if-match holds only for the settings that it was meant for", async () => {
    const { headers } = await answers.ask("GET", "/v1/bandits/shop");
    const etag = headers.get("etag")!;
    await answers.decide("shop");
    const first = await patch({ windowSeconds: 200 }, { "if-match": etag });
    expect(first.status).toBe(200);
    await answers.refused(412, "ERR_REVISION", "PATCH", "/v1/bandits/shop", { body: { windowSeconds: 300 }, headers: { "if-match": etag } });
    expect((await answers.view("shop")).document.windowSeconds).toBe(200);
    expect((await patch({ windowSeconds: 300 }, { "if-match": first.headers.get("etag")! })).status).toBe(200);
    expect((await patch({ windowSeconds: 400 }, { "if-match": "*" })).status).toBe(200);
  });
});
