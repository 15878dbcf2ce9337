import { Readable, Writable } from "node:stream";
import { vi } from "vitest";
import { main } from "../src/main.js";
import type { Ended } from "./ended.js";

/** Commands run one at a time: there is one process, with one stdout and one folder. */
let last: Promise<unknown> = Promise.resolve();

/** Runs the command in this process on some stdin, as if it had been started; returns what it printed and its exit code. For tests that need no separate process. */
export function tsallis(args: readonly string[], stdin: string | Uint8Array = "", cwd = process.cwd()): Promise<Ended> {
  const ended = last.then(() => run(args, stdin, cwd));
  last = ended.catch(() => {});
  return ended;
}

async function run(args: readonly string[], stdin: string | Uint8Array, cwd: string): Promise<Ended> {
  const [stdout, stderr] = [new Captured(), new Captured()];
  const before = process.cwd();
  const replaced = [
    vi.spyOn(process, "stdin", "get").mockReturnValue(Readable.from([Buffer.from(stdin as string)]) as typeof process.stdin),
    vi.spyOn(process, "stdout", "get").mockReturnValue(stdout as unknown as typeof process.stdout),
    vi.spyOn(process, "stderr", "get").mockReturnValue(stderr as unknown as typeof process.stderr),
  ];
  process.chdir(cwd);
  try {
    return { code: await main([...args]), stdout: stdout.text, stderr: stderr.text };
  } finally {
    process.chdir(before);
    for (const spy of replaced) spy.mockRestore();
  }
}

/** A stream that is not a terminal and keeps what is written to it. */
class Captured extends Writable {
  text = "";

  constructor() {
    super({ decodeStrings: false });
  }

  override _write(text: string | Buffer, _encoding: string, done: () => void): void {
    this.text += text;
    done();
  }
}
