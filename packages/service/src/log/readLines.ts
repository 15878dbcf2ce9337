import { pipeline, Readable } from "node:stream";
import { createGunzip } from "node:zlib";
import { ServiceError } from "../serviceError.js";

/** A log somewhere outside the store: a name for messages, and its bytes, as they are or compressed by gzip. */
export interface LogFile {
  readonly name: string;
  readonly bytes: AsyncIterable<Uint8Array>;
}

/** In characters: ten thousand arms with long names fit. A longer line is refused, so that memory stays bounded whatever the file is. */
const LONGEST_LINE = 1 << 24;

/** The lines of a file without their line feeds, many at a time. */
export async function* readLines({ name, bytes }: LogFile): AsyncGenerator<string[]> {
  const decoder = new TextDecoder();
  let rest = "";
  for await (const chunk of plain(bytes)) {
    const lines = (rest + decoder.decode(chunk, { stream: true })).split("\n");
    rest = lines.pop()!;
    if (rest.length > LONGEST_LINE) throw new ServiceError("ERR_LOG", `${name}: a line is longer than ${LONGEST_LINE} characters, so this is no log`);
    yield lines;
  }
  rest += decoder.decode();
  if (rest !== "") yield [rest];
}

/** The bytes without their compression. */
async function* plain(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  const iterator = bytes[Symbol.asyncIterator]();
  const first = await iterator.next();
  if (first.done) return;
  const all = (async function* () {
    yield first.value;
    yield* { [Symbol.asyncIterator]: () => iterator };
  })();
  const [one, two] = first.value;
  if (!(one === 0x1f && two === 0x8b)) return yield* all;
  const unzipped = createGunzip();
  // An error of either comes out of the loop over the second.
  pipeline(Readable.from(all), unzipped, () => {});
  try {
    yield* unzipped;
  } catch (error) {
    if (String((error as { code?: unknown }).code).startsWith("Z_")) {
      throw new ServiceError("ERR_LOG", `the compressed file is damaged or cut off: ${(error as Error).message}`, { cause: error });
    }
    throw error;
  }
}
