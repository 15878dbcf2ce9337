import { useEffect, useState } from "preact/hooks";

/** Whether a media query matches now. */
export function useMedia(words: string): boolean {
  const [query] = useState(() => matchMedia(words));
  const [matches, setMatches] = useState(query.matches);
  useEffect(() => {
    const follow = () => setMatches(query.matches);
    query.addEventListener("change", follow);
    return () => query.removeEventListener("change", follow);
  }, [query]);
  return matches;
}
