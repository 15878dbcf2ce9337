import { createReadStream } from "node:fs";
import { addAbortSignal, Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { createGunzip } from "node:zlib";
import { Failure, reason } from "../text/failure.js";
import { say } from "../text/output.js";

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

/** The bytes of an input. Its errors name the file. */
export async function* chunks(input: Readable, file: string): AsyncGenerator<Uint8Array> {
  try {
    yield* input;
  } catch (error) {
    throw (error as Error).name === "AbortError" ? error : new Failure("ERR_FILE", `cannot be read: ${reason(error)}`, file === "-" ? "stdin" : file);
  }
}

/** The bytes of an input, unpacked if they are gzip. They say so themselves, by their first two; the name of the file does not count. */
export async function* unpacked(input: AsyncIterable<Uint8Array>, name: string): AsyncGenerator<Uint8Array> {
  const source = input[Symbol.asyncIterator]();
  let start = Buffer.alloc(0);
  while (start.length < 2) {
    const { done, value } = await source.next();
    if (done) break;
    start = Buffer.concat([start, value]);
  }
  const bytes = (async function* () {
    yield start;
    yield* { [Symbol.asyncIterator]: () => source };
  })();
  if (start[0] === 0x1f && start[1] === 0x8b) yield* gunzipped(bytes, name);
  else yield* bytes;
}

async function* gunzipped(bytes: AsyncIterable<Uint8Array>, name: string): AsyncGenerator<Uint8Array> {
  const gunzip = createGunzip();
  // What goes wrong here, in the input or in unpacking it, is thrown below.
  pipeline(Readable.from(bytes), gunzip).catch(() => {});
  try {
    yield* gunzip;
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    throw code?.startsWith("Z_") ? new Failure("ERR_FILE", `damaged or cut short, it cannot be unpacked (gzip: ${message})`, name) : error;
  }
}

/** In characters. A longer line is refused, so that memory stays bounded whatever the input is. */
export const LONGEST_LINE = 1 << 20;

/** Whether a line may be skipped. A line that is too long is never blank, whatever it holds, because nothing after it is read. */
export function isBlank(line: string): boolean {
  return line.length <= LONGEST_LINE && line.trim() === "";
}

/**
 * The lines of a UTF-8 stream without their line feeds, as one batch per chunk. An empty last line and a byte-order mark are left out.
 * A line that is too long comes out cut off, and nothing after it is read.
 */
export async function* lineBatches(input: AsyncIterable<Uint8Array>): AsyncGenerator<string[]> {
  const decoder = new TextDecoder();
  let rest = "";
  for await (const chunk of input) {
    const lines = (rest + decoder.decode(chunk, { stream: true })).split("\n");
    rest = lines.pop()!;
    if (rest.length > LONGEST_LINE) {
      yield [...lines, rest];
      return;
    }
    yield lines;
  }
  rest += decoder.decode();
  if (rest !== "") yield [rest];
}
