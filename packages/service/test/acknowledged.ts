import { auditStore, openStore, type Store } from "@tsallis/service";
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

  /** Checks that the log has every answer as it was given, every id once, no decision with two outcomes, and that all of it can be recomputed. */
  async check(where: string): Promise<void> {
    expect(this.wrong).toEqual([]);
    const store = await openStore(where);
    try {
      await this.#checkLogs(store);
      for (const { name, differs } of await auditStore(store)) expect({ name, differs }).toEqual({ name, differs: null });
    } finally {
      await store.close();
    }
    const { code, stdout, stderr } = await tsallis(["audit", "--db", where]);
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    for (const line of stdout.trimEnd().split("\n")) expect(line).toContain("all as recorded, bit for bit");
  }

  async #checkLogs(store: Store): Promise<void> {
    const logged = new Map<string, Logged>();
    const changes = new Set<string>();
    for (const { id, name, seq: last, document } of await store.bandits()) {
      for (const one of inForce(JSON.parse(document))) changes.add(`${name} ${one}`);
      // What the nodes write meanwhile, because something expires, is not asked for.
      const events = await store.events(id, 0, last);
      expect(events.map(({ seq }) => seq)).toEqual(Array.from({ length: last }, (_, index) => index + 1));
      for (const { kind, decision, segment, body } of events) {
        const event: Record<string, unknown> = { kind, segment, ...JSON.parse(body) };
        if (kind === "change") for (const one of inForce(event as unknown as Change)) changes.add(`${name} ${one}`);
        if (decision === null) continue;
        const key = `${name}/${decision}`;
        const entry = logged.get(key) ?? {};
        const slot = kind === "decision" ? "decision" : kind === "late" ? "late" : "outcome";
        expect(entry[slot], `two of ${slot} for ${key}`).toBeUndefined();
        entry[slot] = event;
        logged.set(key, entry);
      }
    }
    for (const [key, answer] of this.#decisions) this.#expectDecision(logged.get(key)?.decision, answer);
    for (const answer of this.#feedback) this.#expectFeedback(logged.get(`${answer.bandit}/${answer.id}`), answer);
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
