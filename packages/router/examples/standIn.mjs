// Code that the examples share: local servers that stand in for yours, and a way to put them under load.
import { once } from "node:events";
import { createServer } from "node:http";
import { pareto, stream } from "tsallis";
import { fetch } from "undici";

/**
 * Heavy-tailed times in milliseconds: half of them are below 1.6 times the shortest, one in ninety is above 20 times it, and none is above 30 times
 * it.
 */
export function heavyTailed(name, shortest) {
  const distribution = pareto({ shape: 1.5, scale: shortest });
  const rng = stream(2026, "delays", name);
  return () => Math.min(distribution.sample(rng), 30 * shortest);
}

/** A server on a free port. The name is part of its URL, so that the router's output shows it. */
export async function standIn(name, answer) {
  const server = createServer(answer).listen(0, "127.0.0.1");
  await once(server, "listening");
  const close = () => {
    server.close();
    server.closeAllConnections();
  };
  return { name, url: `http://127.0.0.1:${server.address().port}/${name}`, close };
}

/** A server that answers "hello" after a heavy-tailed time and counts its answers; `shortest` can be changed while it runs. */
export async function slowHello(name, shortest) {
  const delay = heavyTailed(name, 1);
  const replica = await standIn(name, (_request, response) => {
    replica.answers++;
    setTimeout(() => response.end("hello"), replica.shortest * delay());
  });
  return Object.assign(replica, { shortest, answers: 0 });
}

const event = (content) => `data: ${JSON.stringify({ object: "chat.completion.chunk", choices: [{ index: 0, delta: { content } }] })}\n\n`;

/** A provider that speaks OpenAI's protocol: eleven tokens, the first of them after a heavy-tailed time; so many requests in a hundred are refused with 503. */
export async function streamingProvider(name, shortest, price, failures) {
  const delay = heavyTailed(name, shortest);
  const luck = stream(2026, "failures", name);
  const words = "this text will come word upon word with some idle time".split(" ");
  const server = await standIn(name, (request, response) => {
    request.resume();
    if (100 * luck.uniform() < failures) return response.writeHead(503).end();
    setTimeout(() => {
      response.writeHead(200, { "content-type": "text/event-stream" });
      for (const word of words) response.write(event(word));
      response.end("data: [DONE]\n\n");
    }, delay());
  });
  return { ...server, price };
}

/** Calls `send` for 0 .. count - 1, twenty at a time; returns the mean time of a call in milliseconds. */
export async function underLoad(count, send) {
  let next = 0;
  let milliseconds = 0;
  const client = async () => {
    while (next < count) {
      const started = performance.now();
      await send(next++);
      milliseconds += performance.now() - started;
    }
  };
  await Promise.all(Array.from({ length: 20 }, client));
  return milliseconds / count;
}

/**
 * Sends some requests before the measurements, because the first ones in a process are slow and would count against whichever contender runs first.
 */
export async function warmUp(replicas) {
  await underLoad(200, async (i) => (await fetch(replicas[i % replicas.length].url)).text());
}
