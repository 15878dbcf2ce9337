import type { Readable } from "node:stream";
import { Failure } from "../text/failure.js";
import { reason } from "../text/output.js";

/** The bytes of an input. Its errors name the file. */
export async function* chunks(input: Readable, file: string): AsyncGenerator<Uint8Array> {
  try {
    yield* input;
  } catch (error) {
    throw (error as Error).name === "AbortError" ? error : new Failure("ERR_FILE", `cannot be read: ${reason(error)}`, file === "-" ? "stdin" : file);
  }
}
