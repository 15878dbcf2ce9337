import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { addKey, createService, openStore } from "@tsallis/service";
import { createClient } from "@tsallis/service/client";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { planOf } from "../dist/input/banditPlan.js";
import { tsallis } from "./inProcess.js";

const folder = mkdtempSync(join(tmpdir(), "tsallis-apply-"));
const service = createService({ store: join(folder, "tsallis.db"), port: 0 });
let url: string;
beforeAll(async () => {
  url = await service.listen();
});
afterAll(async () => {
  await service.close();
  rmSync(folder, { recursive: true, force: true });
});

function apply(yaml: string, ...args: string[]) {
  writeFileSync(join(folder, "bandits.yaml"), yaml);
  return tsallis(["apply", "bandits.yaml", "--url", url, ...args], "", folder);
}

const FIRST = `
bandits:
  checkout:
    arms: [classic, express]
    policy: { policy: matched-tinf }
    windowSeconds: 3600
  search:
    arms: [fuzzy, exact]
    state: paused
`;

describe("apply", () => {
  it("shows what it would create, creates it with --yes, and then has nothing to do", async () => {
    const lines = "+ checkout: arms classic, express\n+ search: arms fuzzy, exact; state paused\n";
    expect(await apply(FIRST)).toEqual({ code: 0, stdout: lines, stderr: "tsallis: nothing was changed; repeat with --yes to change 2 bandits\n" });
    expect(await createClient({ url }).bandits()).toEqual([]);
    expect(await apply(FIRST, "--yes")).toEqual({ code: 0, stdout: lines, stderr: "tsallis: 2 bandits changed\n" });
    expect(await createClient({ url }).view("search")).toMatchObject({ state: "paused", document: { arms: ["fuzzy", "exact"] } });
    expect(await apply(FIRST)).toEqual({ code: 0, stdout: "= checkout\n= search\n", stderr: "" });
    expect(await apply(FIRST, "--yes")).toEqual({ code: 0, stdout: "= checkout\n= search\n", stderr: "tsallis: 0 bandits changed\n" });
  });

  it("changes what differs, leaves out what the file leaves out, and what is not in it", async () => {
    const yaml = `
bandits:
  checkout: { arms: [classic, express, wallet], holdout: 0.1, segments: [app] }
`;
    const { stdout } = await apply(yaml);
    expect(stdout).toBe(
      `~ checkout: holdout 0 -> 0.1; segments [] -> ["app"]; arms ["classic","express"] -> ["classic","express","wallet"]\n? search: not in the file; it is left alone\n`,
    );
    expect((await apply(yaml, "--yes")).stderr).toBe("tsallis: 1 bandit changed\n");
    expect(await createClient({ url }).view("checkout")).toMatchObject({ document: { windowSeconds: 3600, holdout: 0.1, segments: ["app"] } });
  });

  it("refuses what would lose something, and then applies nothing at all", async () => {
    const before = await createClient({ url }).bandits();
    const yaml = `
bandits:
  fresh: { arms: [a, b] }
  checkout: { arms: [express, wallet], policy: { policy: ucb1 }, seed: 1 }
  search: { arms: [fuzzy, exact], state: archived }
`;
    const { code, stdout, stderr } = await apply(yaml, "--yes");
    expect(code).toBe(2);
    expect(stdout).toMatch(
      /^\+ fresh: arms a, b\n! checkout: classic would be retired: what was learned of an arm is gone with it; policy is \{"policy":"matched-tinf".*\} and never changes; take another name for \{"policy":"ucb1"\}; seed is \d+ and never changes; take another name for 1\n! search: it would be archived, for good\n$/,
    );
    expect(stderr).toBe(
      "tsallis: bandits.yaml: ERR_BANDIT_DIFFERS: nothing was changed: checkout, search would lose something; change the file, or send a PATCH if you mean it\n",
    );
    expect(await createClient({ url }).bandits()).toEqual(before);
  });

  it("does not change what somebody else has changed since it was shown", async () => {
    const client = createClient({ url });
    const view = await client.view("checkout");
    const [step] = planOf({ checkout: { arms: [...view.document.arms, "late"] } }, [view], []);
    await client.change("checkout", { holdout: 0.2 });
    await expect(client.change("checkout", step!.change!, { revision: step!.revision! })).rejects.toMatchObject({
      code: "ERR_REVISION",
      status: 412,
    });
  });

  it.each([
    ["checkout: {}", "ERR_DATA: it needs a key bandits, with a document for each name"],
    ["bandits: {}\nversion: 2", 'ERR_DATA: "version": unknown key; all bandits are under bandits'],
    ["bandits: { a: 5 }", "a: ERR_DATA: a bandit is an object with arms"],
    ["bandits: { a: { arms: [x] } }", 'a: ERR_BODY: arms must not have fewer than 2 items, got ["x"]'],
    ["bandits: { a: { arms: [x, y], armz: 1 } }", 'a: ERR_BODY: "armz": unknown key'],
    ["bandits: { a: { arms: [x, y], state: stopped } }", 'a: ERR_DATA: state must be one of running, paused, archived, got "stopped"'],
    ["bandits: { a: { arms: [x, y], policy: { policy: htinf, alpha: 3, sigma: 1 } } }", "a: ERR_PARAMETER: policy.alpha must be in (1, 2], got 3"],
    ["bandits: { 'no name': { arms: [x, y] } }", "no name: ERR_BODY: name "],
    ["bandits: [", "ERR_DATA: it is not YAML: "],
  ])("%s is refused before anything is asked", async (yaml, message) => {
    writeFileSync(join(folder, "wrong.yaml"), yaml);
    const { code, stdout, stderr } = await tsallis(["apply", "wrong.yaml", "--url", "http://127.0.0.1:1"], "", folder);
    expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
    expect(stderr.startsWith(`tsallis: wrong.yaml: ${message}`), stderr).toBe(true);
  });

  it.each([
    [["apply", "none.yaml"], "none.yaml: ERR_FILE: cannot be read: ENOENT: no such file or directory"],
    [["apply", "bandits.yaml", "--url", "nowhere"], "--url: ERR_PARAMETER: url must be an address of HTTP"],
  ])("%j is refused", async (args, message) => {
    const { code, stderr } = await tsallis(args, "", folder);
    expect(code).toBe(2);
    expect(stderr.startsWith(`tsallis: ${message}`), stderr).toBe(true);
  });

  it("asks with the key of the environment, and says whose fault a refusal is", async () => {
    const file = join(folder, "keys.db");
    const store = await openStore(file);
    const { key: reading } = await addKey(store, { role: "read" });
    const { key: admin } = await addKey(store, { role: "admin", note: "deploys" });
    await store.close();
    const guarded = createService({ store: file, port: 0 });
    const at = await guarded.listen();
    const ask = () => tsallis(["apply", "bandits.yaml", "--url", at, "--yes"], "", folder);
    writeFileSync(join(folder, "bandits.yaml"), FIRST);
    expect((await ask()).stderr).toContain("ERR_KEY: this needs a key");
    vi.stubEnv("TSALLIS_KEY", reading);
    expect((await ask()).stderr).toMatch(/ERR_ROLE: the key [0-9a-f]+ has the role read, and this needs admin or admin|ERR_ROLE/);
    vi.stubEnv("TSALLIS_KEY", admin);
    expect((await ask()).stderr).toBe("tsallis: 2 bandits changed\n");
    vi.unstubAllEnvs();
    await guarded.close();
  });
});
