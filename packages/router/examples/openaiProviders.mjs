// OpenAI-compatible providers through router.fetch, with a custom loss: the cost of a token, in money and in time. The streams pass untouched.
// Run it: node packages/router/examples/openaiProviders.mjs
import { setTimeout as sleep } from "node:timers/promises";
import { createRouter } from "@tsallis/router";
import { heavyTailed, standIn, underLoad } from "./standIn.mjs";

// The shortest time between two tokens in milliseconds (the times are heavy-tailed), and the price of a million tokens in dollars.
const providers = await Promise.all([provider("lavish", 1, 60), provider("modest", 2, 10), provider("thrifty", 20, 1)]);
const dollarsPerToken = new Map(providers.map(({ url, price }) => [url, price / 1e6]));
/** What a second of waiting is worth to us, in dollars. */
const DOLLARS_PER_SECOND = 0.001;
/** Each event of the stream holds one token. A loss function sees the size of an answer, not its content. */
const BYTES_PER_TOKEN = event("word").length;

const router = createRouter({
  upstreams: providers.map(({ url }) => url),
  loss({ upstream, seconds, bytes }) {
    const tokens = bytes / BYTES_PER_TOKEN;
    return dollarsPerToken.get(upstream) + (DOLLARS_PER_SECOND * seconds) / tokens;
  },
  timeoutMs: 10_000,
  // The penalty is in units of the loss, as everything that is learned: a failure costs as much as a thousand tokens of the dearest provider. A provider
  // that fails once in a thousand answers then counts as dearer by the price of one such token.
  penalty: 0.06,
  seed: 1,
});

/**
 * All providers share one key and model here. If each has its own, use tickets as in jsonRpc.mjs and look both up by ticket.upstream.
 * With OpenAI's SDK: new OpenAI({ baseURL, apiKey, fetch: (url, init) => router.fetch(pathOf(new URL(url)), init) }),
 * where pathOf = ({ pathname, search }) => pathname + search.
 */
async function complete(prompt, onToken) {
  const response = await router.fetch("/v1/chat/completions", {
    method: "POST",
    headers: { "content-type": "application/json", authorization: "Bearer one key for all" },
    body: JSON.stringify({ model: "stand-in", stream: true, messages: [{ role: "user", content: prompt }] }),
  });
  let rest = "";
  for await (const text of response.body.pipeThrough(new TextDecoderStream())) {
    const events = (rest + text).split("\n\n");
    rest = events.pop();
    for (const data of events.map((line) => line.slice("data: ".length))) {
      if (data !== "[DONE]") onToken(JSON.parse(data).choices[0].delta.content);
    }
  }
}

console.log("one answer, as its tokens come:");
await complete("Say something.", (token) => console.log(`  ${token}`));

let tokens = 0;
await underLoad(600, (i) => complete(`Question ${i}`, () => tokens++));

console.log(`\n${tokens} tokens from 600 more answers`);
for (const { upstream, chosen, recent } of router.explain().upstreams) {
  const price = (1e6 * dollarsPerToken.get(upstream)).toFixed(0);
  console.log(`${upstream}: ${chosen} answers; $${price} a million tokens, with the waiting $${(1e6 * recent.p50).toFixed(0)} (median)`);
}
console.log(`\n${router.explain().why}`);

await router.close();
for (const { close } of providers) close();

function event(content) {
  return `data: ${JSON.stringify({ object: "chat.completion.chunk", choices: [{ index: 0, delta: { content } }] })}\n\n`;
}

/** A stand-in provider: eleven tokens of four letters, each after a heavy-tailed time of its own. */
async function provider(name, shortest, price) {
  const delay = heavyTailed(name, shortest);
  const words = "this text will come word upon word with some idle time".split(" ");
  const server = await standIn(name, async (_request, response) => {
    response.writeHead(200, { "content-type": "text/event-stream" });
    for (const word of words) {
      await sleep(delay());
      response.write(event(word));
    }
    response.end("data: [DONE]\n\n");
  });
  return { ...server, price };
}
