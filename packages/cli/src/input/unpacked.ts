import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { createGunzip } from "node:zlib";
import { Failure } from "../text/failure.js";

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
