import { setTimeout } from "node:timers/promises";
import { stream, type Xoshiro128 } from "tsallis";
import { expect } from "vitest";
import { until } from "../../../test/until.js";
import { Acknowledged, type Decided } from "./acknowledged.js";
import type { ServerNode } from "./serverNode.js";

/** How it went with one attempt. The status is null if nothing came back. */
export interface Attempt {
  readonly node: ServerNode;
  /** As performance.now() says. */
  readonly start: number;
  readonly status: number | null;
  readonly code: string | undefined;
  readonly retryAfter: string | null;
}

export interface ClientsOptions {
  readonly nodes: readonly ServerNode[];
  /** The bandits with their documents; each has as many clients. */
  readonly bandits: Readonly<Record<string, object>>;
  readonly clientsEach: number;
  readonly seed: number;
  readonly onAttempt?: (attempt: Attempt) => void;
}

interface Item {
  readonly id: string;
  readonly segment?: string;
}

const ARMS = ["a", "b", "c", "d", "e", "f"];
const SEGMENTS = [undefined, undefined, "new", "old", "früher 🎈"];
const MOST_IN_BATCH = 20;
/** After so long without an answer another node is asked too, with the same id. What the first one answers still counts. */
const IMPATIENT_MS = 1_000;
const GIVE_UP_MS = 60_000;
/** Answers after which asking again is of no use. */
const FINAL = ["ERR_REPLAY", "ERR_VERSION", "ERR_INTERNAL"];

/** Clients that make decisions and give feedback, singly and in batches, and ask until they are answered, always with the same ids. */
export class Clients {
  readonly acknowledged = new Acknowledged();
  readonly #options: ClientsOptions;
  readonly #underway = new Set<Promise<unknown>>();
  /** What is still asked about a decision. */
  readonly #attempts = new Map<string, Set<Promise<unknown>>>();
  /** Clients forget the decisions of an earlier age: nothing is asked about them any more. */
  #age = 0;
  readonly #agesOf: number[] = [];
  readonly #running: Promise<void>[] = [];
  #isOver = false;

  constructor(options: ClientsOptions) {
    this.#options = options;
  }

  /** Creates the bandits, and lets the clients go. */
  async start(): Promise<void> {
    const { bandits, clientsEach, seed } = this.#options;
    for (const [bandit, document] of Object.entries(bandits)) {
      const rng = stream(seed, bandit);
      await this.#ask(rng, "PUT", `/v1/bandits/${bandit}`, {
        arms: ARMS.slice(0, 4),
        seed,
        segments: SEGMENTS.filter((segment) => segment !== undefined),
        ...document,
      });
      for (let client = 0; client < clientsEach; client++) this.#running.push(this.#live(bandit, client, stream(seed, bandit, client)));
    }
  }

  /** Waits for so many more answers. */
  async more(answers: number): Promise<void> {
    const { acknowledged } = this;
    const enough = acknowledged.count + answers;
    await until(`${answers} more answers`, () => {
      expect(acknowledged.wrong).toEqual([]);
      return acknowledged.count >= enough;
    });
  }

  /** Lets the clients forget what they have asked about so far. Resolves to a time before which there is nothing that they will ask about again. */
  async age(): Promise<number> {
    this.#age++;
    await until("every client has forgotten", () => this.#agesOf.every((age) => age === this.#age) || this.acknowledged.wrong.length > 0);
    const time = Date.now();
    await Promise.all(this.#underway);
    return time;
  }

  /** Resolves when all that was asked is answered. */
  async end(): Promise<Acknowledged> {
    this.#isOver = true;
    await Promise.all(this.#running);
    await Promise.all(this.#underway);
    return this.acknowledged;
  }

  async #live(bandit: string, client: number, rng: Xoshiro128): Promise<void> {
    const path = `/v1/bandits/${bandit}`;
    const place = this.#agesOf.push(this.#age) - 1;
    const waiting: Item[] = [];
    const done: { readonly item: Item; readonly feedback: object }[] = [];
    let made = 0;
    const fresh = (): Item => {
      const segment = SEGMENTS[Math.floor(rng.uniform() * SEGMENTS.length)];
      return { id: `${client}.${++made}`, ...(segment === undefined ? {} : { segment }) };
    };
    const some = () => 1 + Math.floor(rng.uniform() * MOST_IN_BATCH);
    const take = (count: number) => Array.from({ length: Math.min(count, waiting.length) }, () => waiting.splice(pick(rng, waiting), 1)[0]!);
    const answer = (item: Item) => {
      const loss = (1 - rng.uniform()) ** -0.7 - 1;
      const feedback = { loss };
      done.push({ item, feedback });
      return { id: item.id, ...feedback };
    };
    while (!this.#isOver && this.acknowledged.wrong.length === 0) {
      if (this.#agesOf[place] !== this.#age) {
        waiting.length = 0;
        done.length = 0;
        this.#agesOf[place] = this.#age;
      }
      const what = rng.uniform();
      if (what < 0.3) waiting.push(...(await this.#decide(rng, path, [fresh()], false)));
      else if (what < 0.45) waiting.push(...(await this.#decide(rng, path, Array.from({ length: some() }, fresh), true)));
      else if (what < 0.7) await this.#feedback(rng, bandit, take(1).map(answer), false);
      else if (what < 0.9) await this.#feedback(rng, bandit, take(some()).map(answer), true);
      else if (what < 0.93) take(1);
      else if (what < 0.96) await this.#again(rng, bandit, done);
      else if (what < 0.97 && done.length > 0) await this.#erase(rng, bandit, done.splice(pick(rng, done), 1)[0]!.item.id);
      else if (client === 0) await this.#change(rng, bandit);
    }
  }

  async #decide(rng: Xoshiro128, path: string, items: readonly Item[], isBatch: boolean): Promise<readonly Item[]> {
    const hear = (body: unknown) => {
      const all = isBatch ? (body as { decisions: Decided[] }).decisions : [body as Decided];
      for (const [index, one] of all.entries()) {
        if (one.id === items[index]!.id) this.acknowledged.decided(one);
        else this.acknowledged.wrong.push(JSON.stringify(one));
      }
    };
    if (isBatch) await this.#ask(rng, "POST", `${path}/decisions:batch`, { decisions: items }, hear);
    else await this.#ask(rng, "POST", `${path}/decisions`, items[0]!, hear);
    return items;
  }

  async #feedback(
    rng: Xoshiro128,
    bandit: string,
    items: readonly { id: string; loss?: number; reward?: number }[],
    isBatch: boolean,
  ): Promise<void> {
    if (items.length === 0) return;
    const hear = (body: unknown) => {
      const all = isBatch ? (body as { feedback: { status?: string }[] }).feedback : [body as { status?: string }];
      for (const [index, { status }] of all.entries()) {
        const { id, loss, reward } = items[index]!;
        if (status === undefined) this.acknowledged.wrong.push(JSON.stringify(all[index]));
        else this.acknowledged.answered({ bandit, id, loss: loss ?? -reward! + 0, status });
      }
    };
    const path = `/v1/bandits/${bandit}`;
    if (isBatch) return this.#ask(rng, "POST", `${path}/feedback`, { feedback: items }, hear);
    const [{ id, ...feedback }] = items as [(typeof items)[number]];
    await this.#ask(rng, "POST", `${path}/decisions/${id}/feedback`, feedback, hear);
  }

  /** Asks for a decision that was made and answered long ago, and answers it again. */
  async #again(rng: Xoshiro128, bandit: string, done: readonly { readonly item: Item; readonly feedback: object }[]): Promise<void> {
    if (done.length === 0) return;
    const { item, feedback } = done[pick(rng, done)]!;
    await this.#decide(rng, `/v1/bandits/${bandit}`, [item], false);
    await this.#feedback(rng, bandit, [{ id: item.id, ...feedback }], true);
  }

  /** Nobody asks about the decision any more: who did would get a new one. */
  async #erase(rng: Xoshiro128, bandit: string, id: string): Promise<void> {
    await Promise.all(this.#attempts.get(`/v1/bandits/${bandit} ${id}`) ?? []);
    this.acknowledged.erasing(bandit, id);
    await this.#ask(rng, "POST", `/v1/bandits/${bandit}/erase`, { id }, () => this.acknowledged.erased());
  }

  async #change(rng: Xoshiro128, bandit: string): Promise<void> {
    const arms = ARMS.filter(() => rng.uniform() < 0.7);
    const change = arms.length > 1 ? { arms, holdout: Math.round(rng.uniform() * 20) / 100 } : { holdout: 0.1 };
    await this.#ask(rng, "PATCH", `/v1/bandits/${bandit}`, change, () => this.acknowledged.changed(bandit, { ...change }));
  }

  /** Asks until there is an answer. */
  async #ask(rng: Xoshiro128, method: string, path: string, body: object, hear: (body: unknown) => void = () => {}): Promise<void> {
    const { nodes } = this.#options;
    for (let isAnswered = false; !isAnswered && this.acknowledged.wrong.length === 0; ) {
      const attempt = this.#attempt(nodes[pick(rng, nodes)]!, method, path, body, hear);
      const about = idsIn(path, body).map((id) => `${path.split("/").slice(0, 4).join("/")} ${id}`);
      const kept = attempt.finally(() => {
        this.#underway.delete(kept);
        for (const one of about) this.#attempts.get(one)?.delete(kept);
      });
      this.#underway.add(kept);
      for (const one of about) this.#attempts.set(one, (this.#attempts.get(one) ?? new Set()).add(kept));
      isAnswered = await Promise.race([attempt, setTimeout(IMPATIENT_MS, false)]);
      if (!isAnswered) await setTimeout(10 + rng.uniform() * 40);
    }
  }

  async #attempt(node: ServerNode, method: string, path: string, body: object, hear: (body: unknown) => void): Promise<boolean> {
    const start = performance.now();
    const tell = (status: number | null, code?: string, retryAfter: string | null = null) =>
      this.#options.onAttempt?.({ node, start, status, code, retryAfter });
    try {
      const init = { method, headers: { "content-type": "application/json" }, body: JSON.stringify(body), signal: AbortSignal.timeout(GIVE_UP_MS) };
      const response = await fetch(node.url + path, init);
      const read = await response.json();
      if (response.ok) {
        tell(response.status);
        hear(read);
        return true;
      }
      const { code, detail: message } = read as { code: string; detail: string };
      tell(response.status, code, response.headers.get("retry-after"));
      if (response.status < 500 || FINAL.includes(code)) this.acknowledged.wrong.push(`${method} ${path}: ${response.status} ${code}: ${message}`);
      return false;
    } catch {
      tell(null);
      return false;
    }
  }
}

/** The decisions that a request is about. */
function idsIn(path: string, body: object): string[] {
  const { id, decisions, feedback } = body as { id?: string; decisions?: readonly Item[]; feedback?: readonly Item[] };
  const [, one] = /\/decisions\/([^/]+)\/feedback$/.exec(path) ?? [];
  return [id, one, ...[...(decisions ?? []), ...(feedback ?? [])].map((item) => item.id)].filter((each) => each !== undefined);
}

function pick(rng: Xoshiro128, list: readonly unknown[]): number {
  return Math.floor(rng.uniform() * list.length);
}
