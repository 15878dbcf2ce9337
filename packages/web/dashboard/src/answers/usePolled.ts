import { useEffect, useState } from "preact/hooks";
import { receivedBytes } from "./ask.js";
import { Failure } from "./failure.js";
import { useKey } from "./key.js";

const AFTER_FAILURE_MS = 10_000;
/** What one part of a page may take, so that all of it takes at most 5 kB/s: larger answers are asked for less often. */
const BYTES_PER_SECOND = 2_000;

export interface Polled<Answer> {
  /** The last good answer, also while newer requests fail. */
  readonly answer: Answer | undefined;
  /** When it came, in milliseconds since 1970 by the browser's clock. */
  readonly at: number;
  /** Why the newest request failed; undefined if it did not. */
  readonly failure: Failure | undefined;
}

const NOTHING = { answer: undefined, at: 0, failure: undefined };

/** Asks again and again while the tab is seen, less often while it fails. `name` says what is asked for: another name or another key starts over. */
export function usePolled<Answer>(name: string, period: number, load: (signal: AbortSignal) => Promise<Answer>): Polled<Answer> {
  const key = useKey();
  const subject = `${key ?? ""}\n${name}`;
  const [state, setState] = useState<Polled<Answer> & { subject: string }>({ ...NOTHING, subject });

  // The subject stands for the function.
  useEffect(() => {
    const stop = new AbortController();
    let timer: ReturnType<typeof setTimeout> | undefined;
    let busy = false;

    const poll = async () => {
      clearTimeout(timer);
      if (busy || document.hidden) return;
      busy = true;
      let pause = period;
      const before = receivedBytes();
      try {
        const answer = await load(stop.signal);
        pause = Math.max(period, (1000 * (receivedBytes() - before)) / BYTES_PER_SECOND);
        if (!stop.signal.aborted) setState({ answer, at: Date.now(), failure: undefined, subject });
      } catch (error) {
        if (stop.signal.aborted) return;
        const failure = error instanceof Failure ? error : new Failure(0, "", String(error));
        setState((before) => ({ ...(before.subject === subject ? before : NOTHING), failure, subject }));
        // Only another key helps, and that starts over.
        if (failure.status === 401) return;
        pause = AFTER_FAILURE_MS;
      } finally {
        busy = false;
      }
      if (!stop.signal.aborted) timer = setTimeout(poll, pause);
    };

    document.addEventListener("visibilitychange", poll);
    poll();
    return () => {
      stop.abort();
      clearTimeout(timer);
      document.removeEventListener("visibilitychange", poll);
    };
  }, [subject, period]);

  return state.subject === subject ? state : NOTHING;
}
