import { createService } from "@tsallis/service";

export const DAY_MS = 86_400_000;

export interface Served {
  readonly bandit: string;
  readonly daysAgo: number;
  readonly rounds: number;
  /** Decisions per round. The first of a round names a segment. */
  readonly perRound?: number;
  /** How many decisions of the last round get no feedback. */
  readonly open?: number;
  /** What their ids begin with. */
  readonly ids?: string;
}

/** Fills a store as a service did some days ago: rounds of decisions, each answered a second later. It ends as a service does that is stopped, with a snapshot. */
export async function served(store: string, { bandit, daysAgo, rounds, perRound = 10, open = 0, ids = "order" }: Served): Promise<void> {
  let now = Date.now() - daysAgo * DAY_MS;
  const service = createService({ store, port: 0, now: () => now });
  const url = `${await service.listen()}v1/bandits/${bandit}`;
  try {
    await ask("PUT", url, { arms: ["a", "b", "c"], seed: 7, windowSeconds: 3600, segments: ["web"] });
    for (let round = 1; round <= rounds; round++) {
      const asked = Array.from({ length: perRound }, (_, i) => ({ id: `${ids}-${round}-${i}`, ...(i === 0 && { segment: "web" }) }));
      now += 1000;
      const { decisions } = (await ask("POST", `${url}/decisions:batch`, { decisions: asked })) as { decisions: { id: string; arm: string }[] };
      now += 1000;
      const answered = decisions.slice(0, round === rounds ? perRound - open : perRound);
      await ask("POST", `${url}/feedback`, { feedback: answered.map(({ id, arm }, i) => ({ id, loss: arm === "b" ? 0.1 : 1 + i / 10 })) });
    }
  } finally {
    await service.close();
  }
}

/** The log of a bandit as the service gives it away. */
export async function logOf(store: string, bandit: string, query = "limit=1000000"): Promise<string> {
  const service = createService({ store, port: 0 });
  try {
    return await (await fetch(`${await service.listen()}v1/bandits/${bandit}/log?${query}`)).text();
  } finally {
    await service.close();
  }
}

async function ask(method: string, url: string, body: object): Promise<unknown> {
  const answer = await fetch(url, { method, headers: { "content-type": "application/json" }, body: JSON.stringify(body) });
  if (!answer.ok) throw new Error(await answer.text());
  return answer.json();
}
