import { useEffect, useState } from "preact/hooks";

const NAME = "tsallis-key";
const watchers = new Set<() => void>();
/** For a browser that stores nothing. */
let held: string | undefined;

/** The key that was given in this tab. It is kept for the tab alone, and gone when that is closed. */
export function currentKey(): string | undefined {
  try {
    return sessionStorage.getItem(NAME) ?? held;
  } catch {
    return held;
  }
}

export function keepKey(key: string | undefined): void {
  held = key;
  try {
    if (key === undefined) sessionStorage.removeItem(NAME);
    else sessionStorage.setItem(NAME, key);
  } catch {
    // Then it is held until the page is reloaded.
  }
  for (const watcher of watchers) watcher();
}

export function useKey(): string | undefined {
  const [key, setKey] = useState(currentKey);
  useEffect(() => {
    const follow = () => setKey(currentKey());
    watchers.add(follow);
    return () => void watchers.delete(follow);
  }, []);
  return key;
}
