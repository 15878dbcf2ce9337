import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { until } from "../../../test/until.js";
import { file, folder, known, make, play, useStateFolder } from "./stateFolder.js";

useStateFolder();

describe("a state file", () => {
  it("is written on close and read at creation, and nothing else is left in its folder", async () => {
    const first = make();
    play(first, 800);
    const before = known(first);
    await first.close();
    expect(readdirSync(folder)).toEqual(["state.json"]);
    const second = make({ seed: 2 });
    expect(known(second)).toEqual(before);
    expect(second.explain().state).toEqual({ file, written: null, error: null });
    await second.close();
    // Nothing has happened, so nothing was written.
    expect(second.explain().state).toMatchObject({ written: null });
  });

  it("is written at intervals, but only if something has happened", async () => {
    const router = make({ state: { file, intervalMs: 20 } });
    await new Promise((resolve) => setTimeout(resolve, 100));
    expect(existsSync(file)).toBe(false);
    play(router, 30);
    await until("it is written", () => router.explain().state?.written !== null);
    const { checksum, snapshot } = JSON.parse(readFileSync(file, "utf8"));
    expect(snapshot).toEqual(JSON.parse(JSON.stringify(router.snapshot())));
    expect(checksum).toMatch(/^[0-9a-f]{64}$/);
  });

  it.each<[string, (text: string) => string]>([
    ["cut short", (text) => text.slice(0, text.length / 2)],
    ["empty", () => ""],
    ["of one changed digit", (text) => text.replace(/"sum":(\d)/, (_, digit) => `"sum":${(Number(digit) % 9) + 1}`)],
    ["something else", () => '{"hello": "world"}'],
    ["a list", () => "[]"],
    ["not text", () => "\u0000\u0001\u0002"],
  ])("that is %s is refused and left alone, or put aside for a fresh start if the options say so", async (_, damage) => {
    const first = make();
    play(first, 40);
    await first.close();
    const damaged = damage(readFileSync(file, "utf8"));
    writeFileSync(file, damaged);
    expect(() => make()).toThrow(expect.objectContaining({ name: "RouterError", code: "ERR_STATE", message: expect.stringContaining(file) }));
    expect(readdirSync(folder)).toEqual(["state.json"]);
    const fresh = make({ state: { file, damaged: "fresh" } });
    expect(fresh.explain().rounds).toBe(0);
    const aside = readdirSync(folder).filter((name) => name.endsWith(".aside"));
    expect(aside).toHaveLength(1);
    expect(readFileSync(join(folder, aside[0]!), "utf8")).toBe(damaged);
    play(fresh, 5);
    await fresh.close();
    expect(make().explain().rounds).toBe(5);
  });

  it("of a router with other upstreams is taken over by their names", async () => {
    const first = make();
    play(first, 40);
    const { chosen } = first.explain().upstreams[0]!;
    await first.close();
    const second = make({ upstreams: ["x", "a"] });
    expect(second.explain()).toMatchObject({
      rounds: 40,
      upstreams: [
        { upstream: "x", chosen: 0, recent: null },
        { upstream: "a", chosen },
      ],
    });
    await second.close();
    expect(readdirSync(folder)).toEqual(["state.json"]);
  });

  it("of another router is refused and left alone, whatever the options say of damage", async () => {
    const first = make();
    play(first, 40);
    await first.close();
    const before = readFileSync(file, "utf8");
    for (const damaged of ["refuse", "fresh"] as const) {
      expect(() => make({ policy: { policy: "ucb1" }, state: { file, damaged } })).toThrow(
        expect.objectContaining({ code: "ERR_STATE_OTHER", parameter: "policy", message: expect.stringContaining(file) }),
      );
    }
    expect([readdirSync(folder), readFileSync(file, "utf8")]).toEqual([["state.json"], before]);
  });

  it("of another version is refused with a remedy, and put aside if the options say so", async () => {
    const old = { version: 2, upstreams: ["a", "b"], loss: "first-byte" };
    const checksum = createHash("sha256").update(JSON.stringify(old)).digest("hex");
    writeFileSync(file, JSON.stringify({ checksum, snapshot: old }));
    expect(() => make()).toThrow(
      expect.objectContaining({
        code: "ERR_STATE",
        parameter: "version",
        value: 2,
        message: expect.stringMatching(/version must be 1.*got 2; .*start fresh with state\.damaged: "fresh"/),
      }),
    );
    const fresh = make({ state: { file, damaged: "fresh" } });
    expect(fresh.explain().rounds).toBe(0);
    expect(readdirSync(folder).filter((name) => name.endsWith(".aside"))).toHaveLength(1);
  });

  it("that cannot be written is reported at intervals in explain(), and by close()", async () => {
    const router = make({ state: { file, intervalMs: 20 } });
    // A folder where the file beside it should be.
    mkdirSync(`${file}.part`);
    play(router, 3);
    await until("it tells of the error", () => router.explain().state?.error !== null);
    await expect(router.close()).rejects.toMatchObject({ code: "ERR_STATE_WRITE" });
    expect(existsSync(`${file}.lock`)).toBe(false);
  });
});

it("an impossible path of a file is refused with a code", () => {
  const state = join(folder, "x".repeat(300));
  expect(() => make({ state })).toThrow(expect.objectContaining({ name: "RouterError", code: "ERR_STATE_WRITE", parameter: "state.file" }));
});
