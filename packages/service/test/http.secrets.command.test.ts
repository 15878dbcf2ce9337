import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { addKey, openStore, type ServiceEvent } from "@tsallis/service";
import Database from "libsql";
import { expect, onTestFinished, test } from "vitest";
import { until } from "../../../test/until.js";
import { serving } from "../../cli/test/serving.js";
import { Answers } from "./answers.js";
import { live } from "./live.js";
import { wired } from "./wire.js";

/** What must be found nowhere. Losses have digits that nothing else has. */
const LOSS = 7.318_264_905_1;
const REWARD = 8_264_017.5;
const WORD = "hush-4711";
const PASSWORD = "pa55-hunter2";
const UNKNOWN_KEY = `tsk_${"Zq9".repeat(14)}Z`;

function secretsIn(text: string, keys: readonly string[]): string[] {
  const secrets = [...keys, ...keys.map((key) => key.slice(4, 30)), "73182649", "8264017", WORD, PASSWORD, UNKNOWN_KEY.slice(0, 20)];
  return secrets.filter((secret) => text.toLowerCase().includes(secret.toLowerCase()));
}

/** Sends secrets wherever something can be sent, to good ends and bad ones. */
async function tellSecrets(answers: Answers, port: number, key: string): Promise<void> {
  const NAME = `shop.${WORD}`;
  await answers.put("shop", { arms: ["a", "b"], policy: { policy: "htinf", alpha: 1.5, sigma: LOSS }, expired: LOSS, segments: [WORD] });
  await answers.ask("PUT", `/v1/bandits/${NAME}`, { body: { arms: [WORD, "b"], expired: LOSS } });
  for (const id of [WORD, `${WORD}.2`]) {
    await answers.decide("shop", { id, segment: WORD });
    await answers.feedback("shop", id, { loss: id === WORD ? LOSS : REWARD });
    await answers.refused(409, "ERR_FEEDBACK_DIFFERS", "POST", `/v1/bandits/shop/decisions/${id}/feedback`, { body: { loss: LOSS + 1 } });
    await answers.expect(200, "GET", `/v1/bandits/shop/decisions/${id}`);
  }
  await answers.expect(200, "POST", "/v1/bandits/shop/feedback", {
    body: {
      feedback: [
        { id: WORD, loss: LOSS },
        { id: "unknown", reward: REWARD },
      ],
    },
  });
  // Bodies that are wrong in many ways.
  for (const body of [
    `{"loss":${LOSS}`,
    `{"loss":"${LOSS}"}`,
    `{"loss":${LOSS},"${WORD}":1}`,
    `${WORD}`,
    `{"loss":${LOSS}e999}`,
    `{"__proto__":{"${WORD}":${LOSS}}}`,
  ])
    await answers.ask("POST", `/v1/bandits/shop/decisions/${WORD}/feedback`, { body });
  await answers.ask("PUT", "/v1/bandits/other", { body: { arms: [WORD, WORD], policy: { policy: WORD, sigma: LOSS } } });
  await answers.ask("PATCH", "/v1/bandits/shop", { body: { expired: LOSS, windowSeconds: LOSS } });
  await answers.ask("POST", "/v1/bandits/shop/decisions", { body: `{"id":"${WORD}`, headers: { "content-type": `text/${WORD}` } });
  // Addresses and headers.
  for (const path of [
    `/v1/bandits?key=${key}&password=${PASSWORD}`,
    `/v1/bandits/shop?${WORD}=${LOSS}`,
    `/${key}/${WORD}`,
    `/v1/bandits/${key}`,
    `/%${key}`,
  ])
    await answers.exact("GET", path, { authorization: `Bearer ${key}`, cookie: `key=${key}`, referer: `https://ada:${PASSWORD}@host/${key}` });
  for (const authorization of [`Bearer ${UNKNOWN_KEY}`, `Basic ${Buffer.from(`ada:${PASSWORD}`).toString("base64")}`, `Bearer ${key}x`, key])
    await answers.exact("GET", `/v1/bandits/${WORD}`, { authorization });
  // What never becomes a request.
  await wired(port, `GET /${key} ${WORD}\r\nAuthorization: Bearer ${key}\r\n\r\n`);
  await wired(port, `POST /${WORD} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${key}\r\nTransfer-Encoding: chunked\r\n\r\n${WORD}${LOSS}`);
  await wired(port, `GET /${WORD} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${key}\r\nX: ${WORD.repeat(2_000)}\r\n\r\n`);
  await wired(
    port,
    `POST /v1/bandits/shop/decisions HTTP/1.1\r\nHost: ${WORD}\r\nConnection: close\r\nContent-Type: ${WORD}\r\nContent-Length: 4\r\n\r\n${WORD}`,
  );
  await answers.ask("GET", "/metrics");
}

test("what a process prints has no key, no loss, no body, no name of anything, and no password", async () => {
  const folder = mkdtempSync(join(tmpdir(), "tsallis-secrets-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const file = join(folder, "bandits.db");
  const store = await openStore(file);
  const { key, id } = await addKey(store, { role: "admin", note: WORD });
  await store.close();
  const { url, printed, stop } = await serving(folder, "--db", file, "--json-log");
  const answers = await Answers.of(url.replace(/\/$/, ""), key);
  await tellSecrets(answers, Number(new URL(url).port), key);
  // Now the store fails in the middle.
  const database = new Database(file);
  database.exec("ALTER TABLE event RENAME TO gone");
  await answers.refused(503, "ERR_STORE", "POST", "/v1/bandits/shop/decisions", { body: { id: `${WORD}.3`, segment: WORD } });
  await answers.ask("POST", `/v1/bandits/shop/decisions/${WORD}/feedback`, { body: { loss: LOSS } });
  await answers.ask("GET", "/v1/bandits/shop/log");
  database.exec("ALTER TABLE gone RENAME TO event");
  database.close();
  await answers.decide("shop");
  const { stdout, stderr, code } = await stop();
  expect(code).toBe(0);
  expect(secretsIn(stdout + stderr, [key])).toEqual([]);
  expect(stderr).toBe("");
  const lines = stdout
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line) as ServiceEvent);
  const requests = lines.filter(({ event }) => event === "request");
  expect(requests.length).toBeGreaterThan(30);
  // What is told is this, the id of the key, and that of the request.
  for (const line of requests)
    expect(Object.keys(line).filter((field) => !["key", "request"].includes(field))).toEqual(["time", "event", "method", "route", "status", "ms"]);
  expect(new Set(requests.map((line) => line.key))).toEqual(new Set([id, undefined]));
  const routes = new Set(requests.map(({ route }) => route));
  expect([...routes]).toEqual(expect.arrayContaining(["none", "/v1/bandits/:name/decisions", "/v1/bandits/:name/decisions/:id/feedback"]));
  expect(new Set(requests.map(({ status }) => status))).toEqual(new Set([200, 201, 400, 401, 404, 409, 415, 422, 431, 503]));
  expect(printed.stdout).toBe(stdout);
});

test("nor has what is told of a defect, or of a log that does not replay", async () => {
  let isBroken = false;
  const service = await live({ now: () => (isBroken ? Number.NaN : Date.now()) }, [{ role: "admin" }]);
  onTestFinished(() => service.close());
  const { key } = service.keys[0]!;
  const answers = await Answers.of(service.url, key);
  await tellSecrets(answers, service.port, key);
  isBroken = true;
  const { text } = await answers.refused(500, "ERR_INTERNAL", "POST", "/v1/bandits/shop/decisions", { body: { id: `${WORD}.4`, segment: WORD } });
  expect(text).not.toMatch(/NaN|Invalid|RangeError|\.js/);
  isBroken = false;
  const told = JSON.stringify(service.events);
  expect(told).toMatch(/"event":"problem"/);
  expect(told).toMatch(/"status":500/);
  expect(secretsIn(told, [key])).toEqual([]);

  // A log whose chain is whole, and which says that something else was learned.
  const second = await live({}, [{ role: "admin" }]);
  onTestFinished(() => second.close());
  const there = await Answers.of(second.url, second.keys[0]!.key);
  await there.put("shop", { arms: ["a", "b"], seed: 1, segments: [WORD] });
  await there.decide("shop", { id: WORD });
  await there.feedback("shop", WORD, { loss: LOSS });
  const database = new Database(second.file);
  database.exec(`UPDATE event SET body = replace(body, '${LOSS}', '${LOSS + 1}')`);
  database.close();
  await there.ask("POST", `/v1/bandits/shop/decisions/${WORD}/feedback`, { body: { loss: LOSS } });
  await until("it is told", () => second.events.some(({ event }) => event === "problem"));
  expect(secretsIn(JSON.stringify(second.events), [second.keys[0]!.key])).toEqual([]);
});
