import { readSync } from "node:fs";

/** The size of the blocks in which a file is read, because it may be larger than a buffer can be. */
const BLOCK_BYTES = 1 << 22;

/** The complete lines of a file, without their line ends. A line is valid until the next one is asked for. */
export function* lines(file: number): Iterable<Buffer> {
  const block = Buffer.allocUnsafe(BLOCK_BYTES);
  let begun: Buffer[] = [];
  for (let position = 0; ; ) {
    const size = readSync(file, block, 0, BLOCK_BYTES, position);
    if (size === 0) return;
    position += size;
    let start = 0;
    for (let end = block.indexOf(10); end >= 0 && end < size; end = block.indexOf(10, start)) {
      const rest = block.subarray(start, end);
      yield begun.length === 0 ? rest : Buffer.concat([...begun, rest]);
      begun = [];
      start = end + 1;
    }
    // A copy, because the next read overwrites the block.
    if (start < size) begun.push(Buffer.from(block.subarray(start, size)));
  }
}
