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
