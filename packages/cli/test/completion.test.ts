import { builtInNames } from "@tsallis/lab";
import { POLICIES } from "tsallis";
import { describe, expect, it } from "vitest";
import { tsallis } from "./inProcess.js";

describe("completion", () => {
  it.each(["bash", "zsh", "fish"])("%s: the script has every command, option, experiment and policy", async (shell) => {
    const { code, stdout, stderr } = await tsallis(["completion", shell]);
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    const { stdout: help } = await tsallis(["--help"]);
    const commands = [...help.matchAll(/^ {2}([a-z]+) /gm)].map(([, name]) => name!);
    expect(commands).toContain("replay");
    for (const name of [...commands, ...builtInNames(), ...Object.keys(POLICIES), "dry-run", "open-metrics", "revoke"])
      expect(stdout).toContain(name);
  });

  it("of another shell is refused", async () => {
    expect(await tsallis(["completion", "cmd"])).toMatchObject({
      code: 2,
      stdout: "",
      stderr: expect.stringContaining("Allowed choices are bash, zsh, fish"),
    });
  });
});
