/** An event of Chromium's trace. Times are in microseconds. */
interface TraceEvent {
  readonly name: string;
  readonly ph: string;
  readonly pid: number;
  readonly tid: number;
  readonly ts: number;
  readonly dur?: number;
  /** The part of `dur` in which the thread had a processor. */
  readonly tdur?: number;
  readonly args?: { readonly name?: string };
}

/** What the main thread of a page was busy with, in milliseconds of processor time: what other programs do meanwhile does not count. */
export interface Frames {
  /** The script of each frame: from one animation frame to the next. */
  readonly script: readonly number[];
  readonly longestTask: number;
}

/** Names of events that stand for script. One may lie inside another. */
const SCRIPT = new Set([
  "FunctionCall",
  "EvaluateScript",
  "v8.callFunction",
  "FireAnimationFrame",
  "TimerFire",
  "HandlePostMessage",
  "RunMicrotasks",
]);

/** Reads a trace of the page that has more animation frames than any other. */
export function framesOf(trace: readonly TraceEvent[]): Frames {
  const mains = trace.filter(({ name, args }) => name === "thread_name" && args?.name === "CrRendererMain");
  const counted = mains.map(({ pid, tid }) => {
    const own = trace.filter((event) => event.pid === pid && event.tid === tid);
    return { own, frames: own.filter(({ name }) => name === "FireAnimationFrame").map(({ ts }) => ts) };
  });
  const { own, frames } = counted.sort((a, b) => b.frames.length - a.frames.length)[0] ?? { own: [], frames: [] };
  const starts = frames.sort((a, b) => a - b);
  const script = new Array<number>(Math.max(0, starts.length - 1)).fill(0);
  let end = Number.NEGATIVE_INFINITY;
  for (const { ts, dur = 0, tdur = dur } of own.filter(({ name, ph }) => ph === "X" && SCRIPT.has(name)).sort((a, b) => a.ts - b.ts)) {
    // What lies inside of another event is part of it.
    if (ts + dur <= end) continue;
    end = ts + dur;
    const frame = starts.filter((start) => start <= ts).length - 1;
    if (frame >= 0 && frame < script.length) script[frame]! += tdur / 1000;
  }
  const tasks = own.filter(({ name, ts }) => name === "RunTask" && ts >= (starts[0] ?? 0)).map(({ dur = 0, tdur = dur }) => tdur / 1000);
  return { script, longestTask: tasks.reduce((longest, task) => Math.max(longest, task), 0) };
}
