import { createReadStream } from "node:fs";
import { addAbortSignal } from "node:stream";
import { say } from "../text/output.js";
import { chunks } from "./chunks.js";
import { unpacked } from "./unpacked.js";

/** The bytes of a file, or of stdin if it is "-", unpacked if they are gzip. On a terminal it says what it waits for. */
export function inputBytes(file: string, signal: AbortSignal, wanted: string): AsyncGenerator<Uint8Array> {
  if (file === "-" && process.stdin.isTTY) say(`waiting for ${wanted}; Ctrl-D ends the input`);
  const input = addAbortSignal(signal, file === "-" ? process.stdin : createReadStream(file));
  return unpacked(chunks(input, file), inputName(file));
}

/** The input as messages name it. */
export function inputName(file: string): string {
  return file === "-" ? "stdin" : file;
}
