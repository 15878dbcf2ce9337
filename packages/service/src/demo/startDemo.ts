import { setTimeout } from "node:timers/promises";
import { lomax, stream } from "tsallis";

/** Seconds that four providers of payments take: heavy tails, such that a mean says little. Shapes below 2 have no variance. */
const PROVIDERS = [
  { name: "alder", shape: 1.6, scale: 0.5 },
  { name: "birch", shape: 1.6, scale: 0.9 },
  { name: "cedar", shape: 1.6, scale: 0.3 },
  { name: "dogwood", shape: 1.3, scale: 0.4 },
];
/** The best one becomes this many times slower after a while, and recovers as much later. */
const DEGRADED = { name: "cedar", factor: 8, afterMs: 180_000 };
/** Most payments name no segment. */
const SEGMENTS = ["web", "app", ...new Array<undefined>(6).fill(undefined)];
const WINDOW_S = 60;
const SEED = 7;
/** So that there is something to see at once: rounds of decisions, each answered before the next. */
const BURST = { rounds: 40, decisions: 40 };
const TICK_MS = 100;
const PER_TICK = 3;
/** Feedback that never comes, and feedback that comes after the window. */
const LOST = 0.03;
const LATE = 0.01;
const LATE_MS = 5_000;
/** So many failures in a row end it. */
const MOST_FAILURES = 50;

const BANDIT = "payments";
const DOCUMENT = {
  arms: PROVIDERS.map(({ name }) => name),
  policy: { policy: "matched-tinf", halfLife: 1_000 },
  seed: SEED,
  windowSeconds: WINDOW_S,
  holdout: 0.2,
  cap: 10,
  unit: "s",
  segments: ["web", "app"],
};

interface Made {
  readonly id: string;
  readonly arm: string;
}

interface Waiting {
  readonly id: string;
  readonly loss: number;
  readonly due: number;
}

/** A simulated client: asks for decisions about payments and sends the seconds that they took, by HTTP like any client, until the signal. */
export async function startDemo(url: string, signal: AbortSignal): Promise<void> {
  const rng = stream(SEED, "demo");
  const latencies = new Map(PROVIDERS.map(({ name, shape, scale }) => [name, lomax({ shape, scale })]));
  const start = performance.now();
  const address = new URL(`v1/bandits/${BANDIT}`, url).href;
  /** Feedback that is still to come; at most what a window holds. */
  let waiting: Waiting[] = [];

  /** Node 20 leaves a listener on the signal of every fetch, so each has one of its own. */
  const underway = new Set<AbortController>();
  const stop = () => {
    for (const own of underway) own.abort();
  };

  async function ask<Answer>(method: string, path: string, body: object): Promise<Answer> {
    const own = new AbortController();
    underway.add(own);
    try {
      const given = { method, headers: { "content-type": "application/json" }, body: JSON.stringify(body), signal: own.signal };
      const answer = await fetch(`${address}${path}`, given);
      const read = (await answer.json()) as { code?: string; detail?: string };
      if (!answer.ok) throw new Error(`${method} ${path}: ${read.code}: ${read.detail}`);
      return read as Answer;
    } finally {
      underway.delete(own);
    }
  }

  const inSegment = () => ({ segment: SEGMENTS[Math.floor(rng.uniform() * SEGMENTS.length)] });

  function lossOf(arm: string): number {
    const isSlow = arm === DEGRADED.name && Math.floor((performance.now() - start) / DEGRADED.afterMs) % 2 === 1;
    return latencies.get(arm)!.sample(rng) * (isSlow ? DEGRADED.factor : 1);
  }

  /** The feedback comes when the payment is done, unless it is lost on the way. */
  function pay({ id, arm }: Made): void {
    const loss = lossOf(arm);
    const fate = rng.uniform();
    if (fate < LOST) return;
    const delay = fate < LOST + LATE ? WINDOW_S * 1000 + LATE_MS : Math.min(loss, WINDOW_S / 2) * 1000;
    waiting.push({ id, loss, due: performance.now() + delay });
  }

  async function decide(): Promise<void> {
    pay(await ask<Made>("POST", "/decisions", inSegment()));
  }

  async function answer({ id, loss }: Waiting): Promise<void> {
    await ask("POST", `/decisions/${id}/feedback`, { loss });
  }

  signal.addEventListener("abort", stop, { once: true });
  try {
    await ask("PUT", "", DOCUMENT);
    for (let round = 0; round < BURST.rounds; round++) {
      const asked = Array.from({ length: BURST.decisions }, inSegment);
      const { decisions } = await ask<{ decisions: Made[] }>("POST", "/decisions:batch", { decisions: asked });
      await ask("POST", "/feedback", { feedback: decisions.map(({ id, arm }) => ({ id, loss: lossOf(arm) })) });
    }
    for (let failures = 0; !signal.aborted; ) {
      const now = performance.now();
      const due = waiting.filter((one) => one.due <= now);
      waiting = waiting.filter((one) => one.due > now);
      const done = await Promise.allSettled([...Array.from({ length: PER_TICK }, decide), ...due.map(answer)]);
      const failed = done.find((one) => one.status === "rejected");
      failures = failed === undefined ? 0 : failures + 1;
      if (signal.aborted) return;
      if (failures > MOST_FAILURES) throw (failed as PromiseRejectedResult).reason;
      await setTimeout(TICK_MS, undefined, { signal }).catch(() => {});
    }
  } finally {
    signal.removeEventListener("abort", stop);
  }
}
