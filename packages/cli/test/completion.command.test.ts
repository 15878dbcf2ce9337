import { execFileSync, spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

const BIN = fileURLToPath(new URL("../bin/tsallis.js", import.meta.url));
const folder = mkdtempSync(join(tmpdir(), "tsallis-completion-"));
afterAll(() => rmSync(folder, { recursive: true }));
writeFileSync(join(folder, "show me.yaml"), "");
mkdirSync(join(folder, "results"));

/** Each shell, made to tell what it offers after some words, the last of which is unfinished. */
const SHELLS: Record<string, (script: string, words: string[]) => string[]> = {
  bash: (script, words) => [
    "--norc",
    "--noprofile",
    "-c",
    `source "$1"; shift; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _tsallis; printf '%s\\n' "\${COMPREPLY[@]}"`,
    "bash",
    script,
    ...words,
  ],
  zsh: (script, words) => [
    "-f",
    "-c",
    // The functions that zsh itself defines while it completes.
    `compdef() { :; }; _files() { print -l -- *; }; compadd() { shift; print -l -- "$@"; }
     _describe() { local list=$@[-1]; print -l -- \${\${(P)list}%%:*}; }
     source $1; shift; words=("$@"); CURRENT=$#; _tsallis`,
    "zsh",
    script,
    ...words,
  ],
  fish: (script, words) => ["--no-config", "-c", "source $argv[1]; complete -C $argv[2]", script, words.join(" ")],
};

describe.each(Object.keys(SHELLS))("%s", (shell) => {
  const missing = spawnSync(shell, ["--version"]).error !== undefined;
  // Bash is everywhere; the others are tried where they are installed (apt-get install zsh fish).
  const trial = missing && shell !== "bash" ? it.skip : it;
  const script = join(folder, `tsallis.${shell}`);
  beforeAll(() => writeFileSync(script, execFileSync(process.execPath, [BIN, "completion", shell])));
  const offered = (...words: string[]) => {
    const printed = execFileSync(shell, SHELLS[shell]!(script, ["tsallis", ...words]), { cwd: folder, encoding: "utf8" });
    const names = printed.split("\n").map((line) => line.split("\t")[0]!);
    return names.filter((name) => name.startsWith(words.at(-1)!) && name !== "").sort();
  };

  trial("commands", () => {
    expect(offered("repl")).toEqual(["replay"]);
    expect(offered("keys", "")).toEqual(["add", "list", "revoke", "rotate"]);
    expect(offered("completion", "")).toEqual(["bash", "fish", "zsh"]);
    expect(offered("help", "aud")).toEqual(["audit"]);
  });

  trial("options of the command that is being written", () => {
    expect(offered("run", "--se")).toEqual(["--seeds"]);
    expect(offered("run", "scale", "--policy", "htinf", "--dr")).toEqual(["--dry-run"]);
    expect(offered("keys", "add", "--ro")).toEqual(["--role"]);
    expect(offered("replay", "--se")).toEqual([]);
  });

  trial("names after the options and commands that take them", () => {
    expect(offered("run", "--policy", "adat")).toEqual(["adatinf"]);
    expect(offered("replay", "--arms", "3", "--policy", "htin")).toEqual(["htinf"]);
    expect(offered("show", "zimm")).toEqual(["zimmert-seldin-2019"]);
    expect(offered("list", "po")).toEqual(["policies"]);
    expect(offered("keys", "add", "--role", "d")).toEqual(["decide"]);
  });

  trial("experiments and files after run, and no file where none can be", () => {
    expect(offered("run", "sho").map((name) => name.replaceAll("\\", ""))).toEqual(["show me.yaml", "showdown"]);
    expect(offered("show", "sho")).toEqual(["showdown"]);
    expect(offered("run", "--seeds", "sho")).toEqual([]);
  });
});
