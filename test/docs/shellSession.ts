import { type ChildProcess, spawn } from "node:child_process";
import { PATIENCE_MS } from "../until.js";

const END = "the end of the block, with";

/** A shell that keeps its folder, its variables and its functions from one block of a guide to the next. */
export class ShellSession {
  readonly #shell: ChildProcess;
  #printed = "";
  #heard: () => void = () => {};

  constructor(folder: string, env: NodeJS.ProcessEnv) {
    // It leads a group of processes, so that nothing of it stays behind.
    this.#shell = spawn("sh", [], { cwd: folder, env, detached: true });
    for (const output of [this.#shell.stdout!, this.#shell.stderr!]) {
      output.setEncoding("utf8").on("data", (text: string) => {
        this.#printed += text;
        this.#heard();
      });
    }
    this.#shell.once("exit", () => this.#heard());
    this.#shell.stdin!.write("exec 2>&1\n");
  }

  /** Types a block. Resolves to what it printed, errors too, and to the exit code of its last command. */
  async run(block: string): Promise<{ readonly printed: string; readonly code: number }> {
    this.#printed = "";
    this.#shell.stdin!.write(`${block}\nprintf '\\n${END} %s\\n' $?\n`);
    const end = new RegExp(`\\n${END} (\\d+)\\n$`);
    const deadline = performance.now() + PATIENCE_MS;
    for (;;) {
      const found = end.exec(this.#printed);
      if (found !== null) return { printed: this.#printed.slice(0, found.index), code: Number(found[1]) };
      if (this.#shell.exitCode !== null || performance.now() > deadline) throw new Error(`the block did not end:\n${block}\n${this.#printed}`);
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, 1000);
        this.#heard = () => {
          clearTimeout(timer);
          resolve();
        };
      });
    }
  }

  /** Ends it and everything that it has started. */
  end(): void {
    try {
      process.kill(-this.#shell.pid!, "SIGKILL");
    } catch {
      // All of it is gone already.
    }
  }
}
