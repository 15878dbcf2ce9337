import type { Scheme } from "./palette.js";
import { useMedia } from "./useMedia.js";

/** Light or dark, as the system has it now. */
export function useScheme(): Scheme {
  return useMedia("(prefers-color-scheme: dark)") ? "dark" : "light";
}
