import { hash } from "node:crypto";

/** 128 bits of SHA-256, in hexadecimal. */
export function digest(text: string): string {
  return hash("sha256", text, "hex").slice(0, 32);
}
