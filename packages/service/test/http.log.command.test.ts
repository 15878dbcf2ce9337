import { afterAll, beforeAll, expect, test } from "vitest";
import { soak } from "../../../test/soak.js";
import { until } from "../../../test/until.js";
import { Answers } from "./answers.js";
import { type Live, live } from "./live.js";
import { Wire } from "./wire.js";

const EVENTS = soak(30_000, 300_000);

let service: Live;
let answers: Answers;
beforeAll(async () => {
  service = await live({ maxOpen: 1_000_000 });
  answers = await Answers.of(service.url);
  await answers.put("shop", { arms: ["a", "b"] });
  const decisions = new Array(1_000).fill({});
  for (let i = 0; i < EVENTS; i += 1_000) await answers.expect(200, "POST", "/v1/bandits/shop/decisions:batch", { body: { decisions } });
});
afterAll(() => service.close());

async function lines(query: string): Promise<string[]> {
  const { text } = await answers.ask("GET", `/v1/bandits/shop/log${query}`);
  expect(text.endsWith("\n")).toBe(true);
  return text.slice(0, -1).split("\n");
}

test("is given in pieces that make up the whole, and never more than was asked for", async () => {
  const [, ...whole] = await lines("?limit=1000000");
  expect(whole).toHaveLength(EVENTS);
  expect(await lines("")).toHaveLength(10_001);
  const pieces: string[] = [];
  for (const limit of [1, 999, 1_000, 1_001, 12_345, 1_000_000]) {
    const [header, ...piece] = await lines(`?after=${pieces.length}&limit=${limit}`);
    expect(JSON.parse(header!)).toMatchObject({ log: "tsallis", name: "shop", after: pieces.length });
    expect(piece.length).toBe(Math.min(limit, EVENTS - pieces.length));
    pieces.push(...piece);
  }
  expect(pieces).toEqual(whole);
  expect(await lines(`?after=${EVENTS}`)).toHaveLength(1);
  expect(await lines(`?after=${Number.MAX_SAFE_INTEGER}`)).toHaveLength(1);
});

test("is read from the store as it is taken: who reads slowly, or not at all, costs no memory", async () => {
  const readers = await Promise.all(Array.from({ length: 50 }, () => Wire.to(service.port)));
  for (const reader of readers) {
    reader.socket.pause();
    reader.send("GET /v1/bandits/shop/log?limit=1000000 HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n");
  }
  const heap = () => process.memoryUsage().heapUsed + process.memoryUsage().external;
  const before = heap();
  // As long as it would take to read all of it, for each.
  for (let i = 0; i < 3; i++) await lines("?limit=1000000");
  const bytes = (await lines("?limit=1000000")).reduce((sum, line) => sum + line.length + 1, 0);
  expect(heap() - before).toBeLessThan(0.5 * readers.length * bytes);
  // One of them comes back, and gets all of it; the others go.
  const [first, ...others] = readers;
  for (const { socket } of others) socket.destroy();
  first!.socket.resume();
  await first!.answers();
  expect(first!.text.split("\n").filter((line) => line.startsWith('{"seq":'))).toHaveLength(EVENTS);
  await answers.decide("shop");
  // Those who went are in the log too.
  await until("a line for each reader that went", () => service.events.filter(({ status }) => status === 499).length === others.length);
  expect(service.events.filter(({ event, status }) => event === "problem" || Number(status) >= 500)).toEqual([]);
});
