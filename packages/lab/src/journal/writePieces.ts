import { closeSync, fsyncSync, openSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { setImmediate } from "node:timers/promises";

/** Short pieces are written together, in blocks of about this many characters. */
const BLOCK = 1 << 20;

/** Writes a file completely or not at all, as `writeFile` does, from pieces that need not fit into memory together. */
export async function writePieces(path: string, pieces: Iterable<string | Uint8Array>): Promise<void> {
  const beside = `${path}.part`;
  const file = openSync(beside, "w");
  try {
    let text = "";
    for (const piece of pieces) {
      if (typeof piece === "string") text += piece;
      if (typeof piece === "string" && text.length < BLOCK) continue;
      writeFileSync(file, text);
      if (typeof piece !== "string") writeFileSync(file, piece);
      text = "";
      // Lets signals and timers run.
      await setImmediate();
    }
    writeFileSync(file, text);
    fsyncSync(file);
  } catch (error) {
    rmSync(beside, { force: true });
    throw error;
  } finally {
    closeSync(file);
  }
  renameSync(beside, path);
}
