import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createService, type Service } from "@tsallis/service";
import { lomax, stream } from "tsallis";

const SECOND = 1_000;
const PER_STEP = 30;

/** The demo's providers, and the same incident: the best one becomes eight times slower. */
const SCALES: Readonly<Record<string, number>> = { alder: 0.5, birch: 0.9, cedar: 0.3, dogwood: 0.4 };
export const INCIDENT_DOCUMENT = {
  ...{ arms: Object.keys(SCALES), policy: { policy: "matched-tinf", halfLife: 1_000 }, seed: 7, windowSeconds: 60, holdout: 0.2, cap: 10, unit: "s" },
  segments: ["web", "app"],
};

/** A service under a clock of its own, which begins in the past and is played up to the present. */
export class Incident {
  readonly #folder = mkdtempSync(join(tmpdir(), "tsallis-incident-"));
  readonly #rng = stream(7, "incident");
  #waiting: { id: string; loss: number; due: number }[] = [];
  #service: Service | undefined;
  now: number;
  url = "";

  constructor(
    minutesAgo: number,
    readonly port = 0,
  ) {
    this.now = Date.now() - minutesAgo * 60 * SECOND;
  }

  /** Starts the service, or starts it again on the same file. */
  async start(): Promise<void> {
    await this.#service?.close();
    this.#service = createService({ store: join(this.#folder, "bandits.db"), port: this.port, now: () => Math.max(this.now, 0) });
    this.url = await this.#service.listen();
  }

  async ask<Answer>(method: string, path: string, body?: object): Promise<Answer> {
    const given = body === undefined ? {} : { headers: { "content-type": "application/json" }, body: JSON.stringify(body) };
    const response = await fetch(new URL(`v1/bandits/payments${path}`, this.url), { method, ...given });
    if (!response.ok) throw new Error(`${method} ${path}: ${await response.text()}`);
    return (await response.json()) as Answer;
  }

  /** Plays decisions and their feedback for a while, once in `step` seconds; `slow` makes cedar so many times slower. */
  async play(seconds: number, slow = 1, step = 2): Promise<void> {
    for (let passed = 0; passed < seconds; passed += step) {
      this.now += step * SECOND;
      const asked = Array.from({ length: PER_STEP }, (_, i) => (i % 4 === 0 ? { segment: i % 8 === 0 ? "web" : "app" } : {}));
      const { decisions } = await this.ask<{ decisions: { id: string; arm: string }[] }>("POST", "/decisions:batch", { decisions: asked });
      for (const { id, arm } of decisions) {
        const loss = lomax({ shape: arm === "dogwood" ? 1.3 : 1.6, scale: SCALES[arm]! }).sample(this.#rng) * (arm === "cedar" ? slow : 1);
        // All feedback comes: when what is missing expires would depend on the machine.
        this.#waiting.push({ id, loss, due: this.now + Math.min(loss, 30) * SECOND });
      }
      const due = this.#waiting.filter((one) => one.due <= this.now);
      this.#waiting = this.#waiting.filter((one) => one.due > this.now);
      if (due.length > 0) await this.ask("POST", "/feedback", { feedback: due.map(({ id, loss }) => ({ id, loss })) });
    }
  }

  async close(): Promise<void> {
    await this.#service?.close();
    rmSync(this.#folder, { recursive: true, force: true });
  }
}
