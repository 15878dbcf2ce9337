import type { StartedServer } from "./startServer.js";

const BATCH = 1_000;

/** Sends a request and returns the answer. */
async function post(url: string, body: object): Promise<unknown> {
  const answer = await fetch(url, { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(body) });
  if (!answer.ok) throw new Error(await answer.text());
  return answer.json();
}

/** Makes decisions in batches; with feedback, unless they shall stay open. */
export async function makeDecisions({ url }: StartedServer, count: number, { open = false, bandit = "bench", prefix = "made" } = {}): Promise<void> {
  for (let made = 0; made < count; made += BATCH) {
    const ids = Array.from({ length: Math.min(BATCH, count - made) }, (_, i) => `${prefix}-${made + i}`);
    await post(`${url}/v1/bandits/${bandit}/decisions:batch`, { decisions: ids.map((id) => ({ id })) });
    if (!open) await post(`${url}/v1/bandits/${bandit}/feedback`, { feedback: ids.map((id, i) => ({ id, loss: (i % 13) + 1 / (1 + (i % 97)) })) });
  }
}
