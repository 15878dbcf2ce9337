import { createReadStream } from "node:fs";
import { auditStore, openStore, readEvents, type Store } from "@tsallis/service";
import { expect } from "vitest";
import { tsallis } from "../../cli/test/command.js";

/** A decision as the service answers it. */
export interface Decided {
  readonly id: string;
  readonly bandit: string;
  readonly segment?: string;
  readonly arm: string;
  readonly round: number | null;
  readonly probability: number | null;
  readonly holdout: boolean;
  readonly expires: string;
  readonly repeated?: boolean;
}

interface Answered {
  readonly bandit: string;
  readonly id: string;
  readonly loss: number;
  readonly status: string;
}

/** What clients change: the names of the arms, or in the log the arms with their numbers. */
interface Change {
  readonly arms?: readonly (string | { readonly name: string })[];
  readonly holdout: number;
}

/** What the log says about one decision. */
interface Logged {
  decision?: Record<string, unknown>;
  outcome?: Record<string, unknown>;
  late?: Record<string, unknown>;
}

/** Every answer that clients were given, to be held against the log. */
export class Acknowledged {
  readonly #decisions = new Map<string, Decided>();
  readonly #feedback: Answered[] = [];
  readonly #changes: { readonly bandit: string; readonly change: Change }[] = [];
  readonly #erased: { readonly bandit: string; readonly id: string }[] = [];
  /** What must not have been answered. */
  readonly wrong: string[] = [];
  /** How many answers there were. */
  count = 0;

  /** Of two answers for one id, the second must say the same. */
  decided({ repeated: _, ...answer }: Decided): void {
    this.count++;
    const key = `${answer.bandit}/${answer.id}`;
    const before = this.#decisions.get(key);
    if (before === undefined) this.#decisions.set(key, answer);
    else if (JSON.stringify(before) !== JSON.stringify(answer)) this.wrong.push(`${JSON.stringify(before)} and ${JSON.stringify(answer)}`);
  }

  answered(answer: Answered): void {
    this.count++;
    this.#feedback.push(answer);
  }

  changed(bandit: string, change: Change): void {
    this.count++;
    this.#changes.push({ bandit, change });
  }

  /** From here on nothing is known of the decision. */
  erasing(bandit: string, id: string): void {
    this.#erased.push({ bandit, id });
  }

  erased(): void {
    this.count++;
  }

  get erasures(): number {
    return this.#erased.length;
  }

  /** Checks that the log has every answer as it was given, every id once, no decision with two outcomes, and that all of it can be recomputed. */
  async check(where: string, pruned: readonly string[] = []): Promise<void> {
    expect(this.wrong).toEqual([]);
    const store = await openStore(where);
    const files = () => pruned.map((name) => ({ name, bytes: createReadStream(name) }));
    try {
      await this.#checkLogs(store, files());
      let erased = 0;
      for (const { name, differs, unproved, ...rest } of await auditStore(store, { files: files() })) {
        expect({ name, differs, unproved }).toEqual({ name, differs: null, unproved: 0 });
        erased += rest.erased;
      }
      // What was exported before still has its id.
      if (pruned.length === 0) expect(erased).toBe(this.#erased.length);
      else expect(erased).toBeLessThanOrEqual(this.#erased.length);
      await this.#checkErased(store);
    } finally {
      await store.close();
    }
    const { code, stdout, stderr } = await tsallis(["audit", ...pruned, "--db", where]);
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    for (const line of stdout.trimEnd().split("\n")) expect(line).toContain("all as recorded, bit for bit");
  }

  async #checkErased(store: Store): Promise<void> {
    for (const { bandit, id } of this.#erased)
      expect(await store.mentions((await store.bandit(bandit))!.id, id), `${bandit}/${id} was erased`).toEqual([]);
  }

  async #checkLogs(store: Store, files: readonly { readonly name: string; readonly bytes: AsyncIterable<Uint8Array> }[]): Promise<void> {
    const logged = new Map<string, Logged>();
    const changes = new Set<string>();
    const last = new Map<string, number>();
    for (const { name, document } of await store.bandits()) for (const one of inForce(JSON.parse(document))) changes.add(`${name} ${one}`);
    for await (const { bandit, events } of readEvents({ files, store })) {
      const { name } = bandit;
      for (const event of events) {
        const { kind, seq } = event;
        expect(seq).toBe((last.get(name) ?? 0) + 1);
        last.set(name, seq);
        if (kind === "change") for (const one of inForce(event as unknown as Change)) changes.add(`${name} ${one}`);
        if (!("decision" in event)) continue;
        const key = `${name}/${event.decision}`;
        const entry = logged.get(key) ?? {};
        const slot = kind === "decision" ? "decision" : kind === "late" ? "late" : "outcome";
        expect(entry[slot], `two of ${slot} for ${key}`).toBeUndefined();
        entry[slot] = event as unknown as Record<string, unknown>;
        logged.set(key, entry);
      }
    }
    // What was erased can no longer be found by its id.
    const gone = new Set(this.#erased.map(({ bandit, id }) => `${bandit}/${id}`));
    for (const [key, answer] of this.#decisions) if (!gone.has(key)) this.#expectDecision(logged.get(key)?.decision, answer);
    for (const answer of this.#feedback) {
      const key = `${answer.bandit}/${answer.id}`;
      if (!gone.has(key)) this.#expectFeedback(logged.get(key), answer);
    }
    // What was in force already is not written again.
    for (const { bandit, change } of this.#changes) for (const one of inForce(change)) expect(changes).toContain(`${bandit} ${one}`);
  }

  #expectDecision(event: Record<string, unknown> | undefined, { id, bandit: _, expires, segment = "", ...answer }: Decided): void {
    expect({ id, ...event }).toMatchObject({ id, ...answer, segment, expires: Date.parse(expires) });
  }

  #expectFeedback(logged: Logged | undefined, { id, loss, status }: Answered): void {
    const { outcome, late } = logged ?? {};
    // Known already: by feedback in time, or by one after its window.
    const isLate = status === "late" || (status === "repeated" && outcome?.kind === "expiry");
    if (isLate) expect({ id, ...outcome, late }).toMatchObject({ id, kind: "expiry", late: { loss } });
    else expect({ id, ...outcome }).toMatchObject({ id, kind: "feedback", loss, ...(status === "repeated" ? {} : { status }) });
  }
}

/** What a change, or a document, puts in force, as text, without the numbers of the arms. */
function inForce({ arms, holdout }: Partial<Change>): string[] {
  const names = arms?.map((arm) => (typeof arm === "string" ? arm : arm.name));
  return [...(names === undefined ? [] : [JSON.stringify(names)]), ...(holdout === undefined ? [] : [String(holdout)])];
}
