import { closeSync, fsyncSync, openSync, renameSync, writeFileSync } from "node:fs";

/** Writes a file completely or not at all: to a neighbouring file first, which is flushed and then renamed. */
export function writeFile(path: string, content: string | Uint8Array | Generator<Uint8Array>): void {
  const beside = `${path}.part`;
  const file = openSync(beside, "w");
  try {
    for (const part of typeof content === "string" || content instanceof Uint8Array ? [content] : content) writeFileSync(file, part);
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
  renameSync(beside, path);
}
