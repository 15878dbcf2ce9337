import { closeSync, openSync, readSync } from "node:fs";

const BLOCK_BYTES = 1 << 20;

/** Whether two files of the same length hold the same bytes. They are read by blocks, because they may be larger than a buffer can be. */
export function sameBytes(a: string, b: string): boolean {
  const files = [openSync(a, "r"), openSync(b, "r")] as const;
  try {
    const [here, there] = [Buffer.alloc(BLOCK_BYTES), Buffer.alloc(BLOCK_BYTES)];
    for (;;) {
      const size = readSync(files[0], here);
      if (readSync(files[1], there) !== size || !here.subarray(0, size).equals(there.subarray(0, size))) return false;
      if (size === 0) return true;
    }
  } finally {
    for (const file of files) closeSync(file);
  }
}
