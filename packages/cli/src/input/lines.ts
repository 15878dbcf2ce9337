/** A line longer than this is refused, so that memory stays bounded whatever comes in. */
export const LONGEST_LINE = 1 << 20;

/** Whether a line may be skipped. Not one that is too long, whatever it holds: what follows it is not read. */
export function isBlank(line: string): boolean {
  return line.length <= LONGEST_LINE && line.trim() === "";
}

/**
 * The lines of a UTF-8 stream without their line feeds, as one batch per chunk. An empty last line is left out; a byte-order mark too.
 * After a line that is too long, which comes out cut off, the rest is not read.
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
