import { once } from "node:events";
import { Agent, type IncomingMessage, request } from "node:http";
import { json } from "node:stream/consumers";
import { createService } from "@tsallis/service";
import Database from "libsql";
import { expect, test } from "vitest";
import { listened } from "../../../test/serverProcess.js";
import { until } from "../../../test/until.js";
import { Answers } from "./answers.js";
import { type Live, live } from "./live.js";
import { Wire } from "./wire.js";

const POST = "POST /v1/bandits/shop/decisions HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 2\r\n\r\n";

async function shop(): Promise<{ service: Live; answers: Answers }> {
  const service = await live();
  const answers = await Answers.of(service.url);
  await answers.put("shop", { arms: ["a", "b"] });
  return { service, answers };
}

test("requests that are under way are answered, new connections are refused, and what was answered is in the store", async () => {
  const { service, answers } = await shop();
  const agent = new Agent({ keepAlive: true });
  const sent = async (method: string, path: string, body?: object) => {
    const sending = request(service.url + path, { method, agent, headers: { "content-type": "application/json" } });
    sending.end(body === undefined ? undefined : JSON.stringify(body));
    const [response] = (await once(sending, "response")) as [IncomingMessage];
    return { status: response.statusCode, answer: (await json(response)) as { id?: string } };
  };
  const ids = Array.from({ length: 20 }, (_, i) => `under-way-${i}`);
  // As many connections, which stay.
  await Promise.all(ids.map(() => sent("GET", "/healthz")));
  // Somebody else writes, so that these wait for their commits.
  const other = new Database(service.file);
  other.exec("BEGIN IMMEDIATE");
  const underWay = ids.map((id) => sent("POST", "/v1/bandits/shop/decisions", { id }));
  // The service reads what comes in order: when it has answered these, it has read those.
  for (let i = 0; i < 3; i++) await answers.expect(200, "GET", "/healthz");
  const start = performance.now();
  const closing = service.close({ keep: true });
  await until("nobody listens", async () => !(await listened(service.port)));
  other.exec("ROLLBACK");
  other.close();
  const done = await Promise.all(underWay);
  await closing;
  // Well before the patience with hanging clients ends: connections that are kept alive end with their answers.
  expect(performance.now() - start).toBeLessThan(9_000);
  expect(done.map(({ status, answer }) => [status, answer.id])).toEqual(ids.map((id) => [201, id]));
  agent.destroy();
  const second = createService({ store: service.file, port: 0 });
  const again = await Answers.of((await second.listen()).replace(/\/$/, ""));
  for (const id of ids) await again.expect(200, "GET", `/v1/bandits/shop/decisions/${id}`);
  expect(await again.seq("shop")).toBe(20);
  await second.close();
  service.remove();
});

test("connections on which nothing is asked do not hold it up", async () => {
  const { service } = await shop();
  // As browsers keep them ready; and one that has asked before.
  const unused = await Wire.to(service.port);
  const used = (await Wire.to(service.port)).send(`${POST}{}`);
  await until("the answer", () => used.text.endsWith("}"));
  const start = performance.now();
  await service.close();
  expect(performance.now() - start).toBeLessThan(5_000);
  expect(await unused.answers()).toEqual([]);
  expect(await used.answers()).toMatchObject([{ status: 201 }]);
});

test("clients that hang are cut off after some seconds; a request that never came whole is not written", async () => {
  const { service, answers } = await shop();
  const hanging = [await Wire.to(service.port), await Wire.to(service.port)];
  hanging[0]!.send(`${POST}{`);
  hanging[1]!.send("GET /healthz HTTP/1.1\r\nHost: ");
  // One that asks for much and reads nothing.
  const decisions = new Array(1_000).fill({});
  for (let i = 0; i < 20; i++) await answers.expect(200, "POST", "/v1/bandits/shop/decisions:batch", { body: { decisions } });
  const idle = await Wire.to(service.port);
  idle.socket.pause();
  idle.send("GET /v1/bandits/shop/log?limit=1000000 HTTP/1.1\r\nHost: localhost\r\n\r\n");
  const seq = await answers.seq("shop");
  const start = performance.now();
  await service.close({ keep: true });
  const took = performance.now() - start;
  expect(took).toBeLessThan(20_000);
  for (const wire of hanging) expect((await wire.answers()).filter(({ status }) => status < 400)).toEqual([]);
  idle.socket.destroy();
  const second = createService({ store: service.file, port: 0 });
  const again = await Answers.of((await second.listen()).replace(/\/$/, ""));
  expect(await again.seq("shop")).toBe(seq);
  await second.close();
  service.remove();
  expect(service.events.filter(({ event, status }) => event === "problem" || Number(status) >= 500)).toEqual([]);
  expect(service.events.at(-1)).toEqual({ event: "stopped" });
});

test("it can be stopped before it has started, and twice", async () => {
  const there = await live();
  await Promise.all([there.close(), there.close()]);
  await there.close();
  const events: unknown[] = [];
  const service = createService({ store: `${there.file}.never/there/b.db`, port: 0, onEvent: (event) => events.push(event) });
  await service.close();
  expect(events).toEqual([]);
});
