import { spawnSync } from "node:child_process";
import { chmodSync, chownSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { auditStore, createService, openStore, type ServiceEvent } from "@tsallis/service";
import Database from "libsql";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { soak } from "../../../test/soak.js";
import { until } from "../../../test/until.js";
import { Answers } from "./answers.js";

const folder = mkdtempSync(join(tmpdir(), "tsallis-disk-"));
const disk = join(folder, "disk");
const ballast = join(disk, "ballast");
/** The log in front of the file takes some 4 MB before it is written into the file. */
const SIZE = 24 * 1024 * 1024;

/** Mounting needs root, or a sudo that does not ask. */
function asRoot(command: string, ...args: string[]): void {
  const [program, ...rest] = process.getuid?.() === 0 ? [command, ...args] : ["sudo", "-n", command, ...args];
  const { status, stderr } = spawnSync(program!, rest, { encoding: "utf8" });
  expect(status, stderr).toBe(0);
}

beforeAll(() => {
  mkdirSync(disk);
  asRoot("mount", "-t", "tmpfs", "-o", `size=${SIZE},mode=1777`, "tmpfs", disk);
});
afterEach(() => rmSync(ballast, { force: true }));
afterAll(() => {
  // Also if a test has failed and left something open.
  asRoot("umount", "--lazy", disk);
  rmSync(folder, { recursive: true, force: true });
});

/** Takes all room that is left. */
function fill(): void {
  for (let size = 1024 * 1024; size >= 1; size >>= 1) {
    try {
      for (;;) writeFileSync(ballast, Buffer.alloc(size), { flag: "a" });
    } catch (error) {
      expect((error as { code: string }).code).toBe("ENOSPC");
    }
  }
}

async function started(file: string, events: ServiceEvent[] = []) {
  const service = createService({ store: file, port: 0, onEvent: (event) => events.push(event) });
  const url = (await service.listen()).replace(/\/$/, "");
  return { service, answers: await Answers.of(url) };
}

/** What a client was promised: decisions, and the losses that count. */
class Promised {
  readonly decisions = new Map<string, unknown>();
  readonly told = new Map<string, number>();
  refused = 0;

  /** One decision and its feedback; asks once. */
  async turn(answers: Answers, id: string): Promise<void> {
    if (!this.decisions.has(id)) {
      const { status, json } = await answers.ask("POST", "/v1/bandits/b/decisions", { body: { id } });
      if (status >= 400) return this.#refuse(status, json);
      this.decisions.set(id, json);
    }
    const loss = Number(id.slice(1)) / 8;
    const { status, json } = await answers.ask("POST", `/v1/bandits/b/decisions/${id}/feedback`, { body: { loss } });
    if (status >= 400) return this.#refuse(status, json);
    expect(["applied", "repeated"]).toContain(json.status);
    this.told.set(id, loss);
  }

  #refuse(status: number, json: { code: string }): void {
    expect([status, json?.code]).toEqual([503, "ERR_STORE"]);
    this.refused++;
  }

  /** Everything that was promised is in the log, once, as it was said. */
  async kept(file: string): Promise<void> {
    const store = await openStore(file);
    try {
      expect((await auditStore(store))[0]).toMatchObject({ differs: null });
    } finally {
      await store.close();
    }
    const database = new Database(file);
    const rows = database.prepare("SELECT kind, decision, body FROM event ORDER BY seq").raw().all([]) as [string, string, string][];
    database.close();
    for (const kind of ["decision", "feedback"]) {
      const ids = rows.filter(([one]) => one === kind).map(([, id]) => id);
      expect(new Set(ids).size).toBe(ids.length);
    }
    const bodies = new Map(rows.map(([kind, id, body]) => [`${kind} ${id}`, JSON.parse(body)]));
    for (const [id, said] of this.decisions) {
      const { arm, round, probability } = said as Record<string, unknown>;
      expect(bodies.get(`decision ${id}`)).toMatchObject({ arm, round, probability });
    }
    for (const [id, loss] of this.told) expect(bodies.get(`feedback ${id}`)).toMatchObject({ loss });
  }
}

describe("a full disk", () => {
  it("refuses what it cannot write, answers what it knows, and goes on by itself, with nothing lost or doubled", async () => {
    const file = join(disk, "full.db");
    const events: ServiceEvent[] = [];
    const { service, answers } = await started(file, events);
    await answers.put("b", { arms: ["x", "y", "z"], seed: 4 });
    const promised = new Promised();
    let next = 0;
    for (let fillings = 0; fillings < soak(3, 30); fillings++) {
      for (let i = 0; i < 30; i++) await promised.turn(answers, `d${next++}`);
      const before = promised.refused;
      fill();
      // The log in front of the file has some room left in its last page, or none.
      await until("the disk is full", async () => {
        await Promise.all(Array.from({ length: 20 }, () => promised.turn(answers, `d${next++}`)));
        return promised.refused > before + 40;
      });
      expect(await answers.expect(200, "GET", "/v1/bandits/b/decisions/d3")).toMatchObject({ id: "d3" });
      // Whether it is a new one is asked only if there is room to write it.
      const { status, json } = await answers.ask("POST", "/v1/bandits/b/decisions", { body: { id: "d3" } });
      if (status === 200) expect(json).toEqual({ ...(promised.decisions.get("d3") as object), repeated: true });
      else expect([status, json?.code]).toEqual([503, "ERR_STORE"]);
      await answers.expect(200, "GET", "/v1/bandits/b");
      rmSync(ballast);
      // Whoever was refused asks again, with the same id.
      for (let i = 0; i < next; i++) if (!promised.told.has(`d${i}`)) await promised.turn(answers, `d${i}`);
      expect(promised.told.size).toBe(next);
    }
    await service.close();
    await promised.kept(file);
  });

  it("stops and starts on a full disk, and loses nothing", async () => {
    const file = join(disk, "stop.db");
    const first = await started(file);
    await first.answers.put("b", { arms: ["x", "y"], seed: 4 });
    const promised = new Promised();
    for (let i = 0; i < 20; i++) await promised.turn(first.answers, `d${i}`);
    fill();
    await first.service.close();
    const second = await started(file).catch((error: { code: string; message: string }) => error);
    if ("code" in second) {
      // SQLite needs some room to open a file, and may not find it.
      expect(second).toMatchObject({ code: "ERR_STORE", message: expect.stringMatching(/disk/) });
    } else {
      expect(await second.answers.expect(200, "GET", "/v1/bandits/b")).toMatchObject({ counters: { answered: 20 } });
      await second.service.close();
    }
    rmSync(ballast);
    const third = await started(file);
    for (let i = 20; i < 25; i++) await promised.turn(third.answers, `d${i}`);
    expect(promised.told.size).toBe(25);
    await third.service.close();
    await promised.kept(file);
  });
});

describe("a store that this user may not write to", () => {
  const OPEN = fileURLToPath(new URL("../dist/openStore.js", import.meta.url));
  const NOBODY = 65_534;
  const isRoot = process.getuid?.() === 0;

  /** Opens a store in a process of a user without rights; says what it was told. */
  function opened(file: string): string {
    const program = `import { openStore } from ${JSON.stringify(OPEN)};
      try { await (await openStore(process.argv[1])).close(); console.log("opened"); } catch (error) { console.log(error.code, error.message); }`;
    const rights = isRoot ? { uid: NOBODY, gid: NOBODY } : {};
    const { stdout, stderr } = spawnSync(process.execPath, ["--input-type=module", "-e", program, file], {
      encoding: "utf8",
      cwd: tmpdir(),
      ...rights,
    });
    expect(stderr).toBe("");
    return stdout.trim();
  }

  it("is refused with a word about its permissions: those of the file, of its folder, and of what cannot even be read", async () => {
    chmodSync(folder, 0o755);
    const place = join(folder, "place");
    mkdirSync(place);
    const file = join(place, "bandits.db");
    await (await openStore(file)).close();
    if (isRoot) for (const path of [place, file]) chownSync(path, NOBODY, NOBODY);
    expect(opened(file)).toBe("opened");
    chmodSync(file, 0o444);
    expect(opened(file)).toMatch(/^ERR_STORE .*bandits\.db: this user may not write to .*bandits\.db; change its permissions/);
    chmodSync(file, 0o000);
    expect(opened(file)).toMatch(/^ERR_STORE .*may not write/);
    chmodSync(file, 0o644);
    chmodSync(place, 0o555);
    expect(opened(file)).toMatch(/^ERR_STORE .*this user may not write to .*place;/);
    expect(opened(join(place, "new.db"))).toMatch(/^ERR_STORE .*this user may not write to .*place;/);
    chmodSync(place, 0o000);
    expect(opened(file)).toMatch(/^ERR_STORE /);
    chmodSync(place, 0o755);
    expect(opened(file)).toBe("opened");
  });

  it("is refused on a disk that is read-only", async () => {
    const fixed = join(folder, "fixed");
    mkdirSync(fixed);
    asRoot("mount", "-t", "tmpfs", "-o", "size=1m,mode=1777", "tmpfs", fixed);
    try {
      const file = join(fixed, "bandits.db");
      expect(opened(file)).toBe("opened");
      asRoot("mount", "-o", "remount,ro", fixed);
      await expect(openStore(file)).rejects.toMatchObject({ code: "ERR_STORE", message: expect.stringMatching(/may not write/) });
    } finally {
      asRoot("umount", "--lazy", fixed);
    }
  });
});
