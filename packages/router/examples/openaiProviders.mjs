// A gateway between providers that speak OpenAI's protocol. Each request goes where the time to the first token and the price together are lowest. Streams pass untouched,
// failures are retried elsewhere, late requests are hedged, a conversation stays with the provider that has its prompt cached, and every decision is logged.
// Run it: node packages/router/examples/openaiProviders.mjs
// Or with providers of your own, which take the same key and model: node packages/router/examples/openaiProviders.mjs https://a.example https://b.example
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { mkdtempSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { pipeline } from "node:stream/promises";
import { createRouter } from "@tsallis/router";
import { fetch, request } from "undici";
import { streamingProvider, underLoad } from "./standIn.mjs";

const given = process.argv.slice(2);
// The shortest time to the first token in milliseconds (the times are heavy-tailed), the price of an answer in dollars, and how many requests in a hundred fail.
const standIns =
  given.length > 0
    ? []
    : await Promise.all([
        streamingProvider("lavish", 4, 0.04, 0),
        streamingProvider("modest", 6, 0.001, 1),
        streamingProvider("thrifty", 90, 0.0002, 1),
      ]);
const SECONDS_PER_DOLLAR = 5; // Costs are in the unit of the loss.

const log = mkdtempSync(join(tmpdir(), "gateway-"));
const router = createRouter({
  upstreams: given.length > 0 ? given : standIns.map(({ url }) => url),
  timeoutMs: 30_000,
  penalty: 0.5, // Failures are retried, so one costs a second attempt.
  cost: Object.fromEntries(standIns.map(({ url, price }) => [url, price * SECONDS_PER_DOLLAR])),
  retry: { attempts: 3 },
  hedge: {},
  sticky: { key: ({ headers }) => headers["x-session"], lifetimeMs: 300_000 },
  log,
  ...(given.length === 0 && { seed: 1 }),
});

const gateway = createServer(async (incoming, outgoing) => {
  const gone = new AbortController();
  outgoing.on("close", () => gone.abort());
  try {
    const { method, url, headers } = incoming;
    const { "content-type": type = "application/json", authorization = "", "x-session": session } = headers;
    const answer = await request(`http://provider${url}`, {
      dispatcher: router.dispatcher(),
      method,
      // The key says that the request may be sent again, and a text can be, unlike a stream.
      headers: { "content-type": type, authorization, "idempotency-key": randomUUID(), ...(session && { "x-session": session }) },
      ...(method !== "GET" && { body: await text(incoming) }),
      signal: gone.signal,
    });
    outgoing.writeHead(answer.statusCode, { "content-type": answer.headers["content-type"] ?? "application/json" });
    await pipeline(answer.body, outgoing);
  } catch (error) {
    if (!outgoing.headersSent) outgoing.writeHead(502, { "content-type": "application/json" });
    outgoing.end(JSON.stringify({ error: { message: error.message, code: error.code } }));
  }
}).listen(0, "127.0.0.1");
await once(gateway, "listening");
const url = `http://127.0.0.1:${gateway.address().port}/v1/chat/completions`;
console.log(`the gateway is at ${url}, its log in ${log}`);

// A client, such as OpenAI's SDK with this gateway as its baseURL.
async function complete(prompt, session, onToken) {
  const body = JSON.stringify({ model: "stand-in", stream: true, messages: [{ role: "user", content: prompt }] });
  const response = await fetch(url, { method: "POST", headers: { "content-type": "application/json", "x-session": session }, body });
  if (!response.ok) return false;
  for (const event of (await response.text()).split("\n\n")) {
    const data = event.slice("data: ".length);
    if (data !== "" && data !== "[DONE]") onToken(JSON.parse(data).choices[0].delta.content);
  }
  return true;
}

if (given.length === 0) {
  const tokens = [];
  await complete("Say something.", "first", (token) => tokens.push(token));
  console.log(`one answer: ${tokens.join(" ")}`);
  let failed = 0; // Sessions have ten requests each.
  await underLoad(2000, async (i) => {
    if (!(await complete(`Question ${i}`, `session ${Math.floor(i / 10)}`, () => {}))) failed++;
  });
  const { retry, hedge, sticky, upstreams, why } = router.explain();
  for (const { upstream, chosen, cost, recent } of upstreams) {
    console.log(
      `${upstream}: ${chosen} requests; its price is worth ${1000 * cost} ms, and the median of the first token is ${(1000 * (recent?.p50 ?? 0)).toFixed(0)} ms`,
    );
  }
  console.log(
    `2000 requests, ${failed} failed; ${retry.retried} retried, ${hedge.hedged} hedged (${hedge.won} won), ${sticky.kept} stayed with their session`,
  );
  console.log(why);
  gateway.close();
  await router.close();
  for (const { close } of standIns) close();
}
