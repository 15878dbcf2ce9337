import { useEffect, useState } from "preact/hooks";
import type { Scheme } from "./palette.js";

/** Light or dark, as the system has it now. */
export function useScheme(): Scheme {
  const [query] = useState(() => matchMedia("(prefers-color-scheme: dark)"));
  const [dark, setDark] = useState(query.matches);
  useEffect(() => {
    const follow = () => setDark(query.matches);
    query.addEventListener("change", follow);
    return () => query.removeEventListener("change", follow);
  }, [query]);
  return dark ? "dark" : "light";
}
