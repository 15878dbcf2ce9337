import { useEffect, useState } from "preact/hooks";
import type { PolicyBound } from "./boundsOf.js";
import { keyOf, type Race } from "./race.js";

/** The bounds of a race's policies; null until they are there, or if they are not wanted. */
export function useBounds(race: Race, wanted: boolean): readonly PolicyBound[] | null {
  const [found, setFound] = useState<{ readonly key: string; readonly bounds: readonly PolicyBound[] } | null>(null);
  const key = keyOf(race);
  useEffect(() => {
    if (!wanted) return;
    const worker = new Worker("./boundsWorker.js", { type: "module" });
    worker.onmessage = ({ data }: MessageEvent<readonly PolicyBound[]>) => setFound({ key, bounds: data });
    worker.postMessage(race);
    return () => worker.terminate();
  }, [key, wanted]);
  return wanted && found?.key === key ? found.bounds : null;
}
