import { closeSync, fsyncSync, openSync, renameSync, writeFileSync } from "node:fs";

/** Writes a file as a whole or not at all: beside it first, flushed, then renamed. */
export function writeFile(path: string, content: string | Uint8Array): void {
  const beside = `${path}.part`;
  const file = openSync(beside, "w");
  try {
    writeFileSync(file, content);
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
  renameSync(beside, path);
}
