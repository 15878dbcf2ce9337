import { createReadStream } from "node:fs";
import { addAbortSignal } from "node:stream";
import {
  type EvaluatedLog,
  FEWEST_TO_REDRAW,
  type LogCounts,
  LogEvaluation,
  type LogEvaluationOptions,
  logAnswers,
  REDRAWN_RUNS,
  type Redrawn,
  redraw,
} from "@tsallis/lab/evaluation";
import { readEvents, ServiceError, type Store } from "@tsallis/service";
import { at, atOption, Failure } from "../text/failure.js";
import { say } from "../text/output.js";
import { ProgressLine } from "../text/progressLine.js";
import { type DecisionLog, type LogInput, readDecisions } from "./decisionFile.js";
import { type EvaluateOptions, type EvaluateQuestions, mixOf, readQuestions } from "./evaluateOptions.js";
import { usingStore } from "./givenStore.js";
import { chunks, inputName, unpacked } from "./inputLines.js";
import { ServiceDecisions, withoutCap, withoutHoldout } from "./serviceDecisions.js";

/** A segment of a log, folded, before it is asked. */
interface Folded {
  readonly name: string;
  readonly segment: string | null;
  readonly unit: "loss" | "reward";
  readonly evaluation: LogEvaluation;
  readonly settledUpTo: number | null;
  readonly log: LogCounts;
  /** By arm, for redrawing. */
  readonly losses: readonly ArrayLike<number>[];
}

const NO_COUNTS: LogCounts = { open: 0, dropped: 0, late: 0, earlier: 0, doubled: 0, outOfOrder: 0, cut: false };

/** Reads the logs, or the store, and answers. */
export async function evaluatedLogs(
  names: readonly string[],
  options: EvaluateOptions,
  isStoreNamed: boolean,
  signal: AbortSignal,
): Promise<EvaluatedLog[]> {
  const questions = await readQuestions(options);
  const progress = new ProgressLine();
  try {
    const folded = await foldedLogs(names, options, questions, isStoreNamed, signal, progress);
    if (folded.length === 0) {
      const { segment } = options;
      const [message, place] =
        segment === undefined
          ? ["there is no decision in it", names.length === 0 ? "" : names.map(inputName).join(", ")]
          : [`no decision is of the segment ${JSON.stringify(segment)}`, "--segment"];
      throw new Failure("ERR_DATA", message, place);
    }
    const logs: EvaluatedLog[] = [];
    for (const each of folded) logs.push(await answered(each, questions, options.report !== undefined, signal, progress));
    return logs;
  } catch (error) {
    if (error instanceof ServiceError && error.code === "ERR_REPLAY") throw new Failure(error.code, error.message, "", 1);
    throw atOption(error);
  } finally {
    progress.stop();
  }
}

/** Files alone if no store is named with them. */
async function foldedLogs(
  names: readonly string[],
  options: EvaluateOptions,
  questions: EvaluateQuestions,
  isStoreNamed: boolean,
  signal: AbortSignal,
  progress: ProgressLine,
): Promise<Folded[]> {
  const inputs = names.map((name): LogInput => ({ name, bytes: bytesOf(name, signal) }));
  const [first, ...rest] = inputs;
  if (first === undefined) return usingStore(options.db, "read", (store) => serviceLogs([], store, options, questions, signal, progress));
  const { start, bytes } = await begun(first.bytes);
  const all = [{ name: first.name, bytes }, ...rest];
  if (start.startsWith('{"log":')) {
    if (options.columns !== undefined) throw new Failure("ERR_USAGE", "a service's log has fixed columns; leave --columns out", "--columns");
    const files = all.map(({ name, bytes }) => ({ name: inputName(name), bytes }));
    if (!isStoreNamed) return serviceLogs(files, undefined, options, questions, signal, progress);
    return usingStore(options.db, "read", (store) => serviceLogs(files, store, options, questions, signal, progress));
  }
  const stray = isStoreNamed ? "--db" : options.bandit !== undefined ? "--bandit" : undefined;
  if (stray !== undefined) throw new Failure("ERR_USAGE", `${inputName(first.name)} is not a service's log; leave ${stray} out`, stray);
  if (questions.cap === undefined) throw withoutCap();
  const { columns, floor, cap, maxOpen } = questions;
  const onProgress = (lines: number) => {
    signal.throwIfAborted();
    progress.show(() => `${lines.toLocaleString("en")} lines read`);
  };
  const log = await readDecisions(all, { columns, segment: options.segment, floor, cap, maxOpen, onProgress });
  return foldedSegments(log, names.map(inputName).join(", "), questions, cap, options.report !== undefined, signal, progress);
}

async function serviceLogs(
  files: readonly LogInput[],
  store: Store | undefined,
  options: EvaluateOptions,
  { cap, floor, moving, maxOpen, error, tolerance, against }: EvaluateQuestions,
  signal: AbortSignal,
  progress: ProgressLine,
): Promise<Folded[]> {
  const others = { error, tolerance, history: options.report !== undefined };
  const bandits = new Map<string, ServiceDecisions>();
  let events = 0;
  for await (const part of readEvents({ bandit: options.bandit, chain: options.chain, files, ...(store && { store }) })) {
    signal.throwIfAborted();
    const { name } = part.bandit;
    let decisions = bandits.get(name);
    if (decisions === undefined) {
      const chosen = { cap, floor, moving, maxOpen, segment: options.segment, others, keepsLosses: against !== null };
      decisions = new ServiceDecisions(part.bandit, chosen, (made: LogEvaluationOptions) => new LogEvaluation(made));
      bandits.set(name, decisions);
    }
    try {
      for (const event of part.events) decisions.take(event);
    } catch (error) {
      throw at(name, error);
    }
    events += part.events.length;
    progress.show(() => `${events.toLocaleString("en")} events read`);
  }
  return [...bandits].flatMap(([name, decisions]): Folded[] => {
    decisions.end();
    const { segments, unit, earlier } = decisions;
    return [...segments].map(([segment, { evaluation, order, losses, settledUpTo, late }]) => ({
      name,
      segment: segments.size === 1 && segment === "" ? null : segment,
      unit: unit!,
      evaluation: evaluation!,
      settledUpTo,
      log: { ...NO_COUNTS, open: order.waiting, dropped: order.expired, late, earlier },
      losses,
    }));
  });
}

/** A log of somebody else, segment by segment. */
function foldedSegments(
  log: DecisionLog,
  name: string,
  { floor, moving, holdout, error, tolerance, against }: EvaluateQuestions,
  cap: number,
  history: boolean,
  signal: AbortSignal,
  progress: ProgressLine,
): Folded[] {
  const { unit, segments, hasHoldout, doubled, outOfOrder, cut, lastTime } = log;
  if (moving && !hasHoldout) throw withoutHoldout();
  if (moving && holdout === undefined) {
    throw new Failure(
      "ERR_MISSING",
      "with --moving, say the share of decisions that were drawn into the holdout, such as --holdout 0.05",
      "--holdout",
    );
  }
  const limits = unit === "reward" ? { cap: 0 - floor, floor: -cap } : { cap, floor };
  const share = hasHoldout ? (holdout ?? 0.5) : 0;
  return [...segments].map(([segment, { arms: numbers, codes, losses }]) => {
    const arms = [...numbers.keys()];
    const evaluation = new LogEvaluation({ arms, ...limits, holdout: share, moving, error, tolerance, history });
    const byArm = arms.map((): number[] => []);
    for (let i = 0; i < codes.length; i++) {
      const arm = codes[i]! >> 1;
      const loss = losses[i]!;
      evaluation.add({ arm, loss: Number.isNaN(loss) ? null : loss, holdout: codes[i]! % 2 === 1 });
      if (against !== null && !Number.isNaN(loss)) byArm[arm]!.push(loss);
      if (i % 65_536 > 0) continue;
      signal.throwIfAborted();
      progress.show(() => `${i.toLocaleString("en")} of ${codes.length.toLocaleString("en")} decisions counted`);
    }
    return {
      name,
      segment: segments.size === 1 && segment === "" ? null : segment,
      unit,
      evaluation,
      settledUpTo: millisecondsOf(lastTime),
      log: { ...NO_COUNTS, doubled, outOfOrder, cut },
      losses: byArm,
    };
  });
}

/** The time of a log as milliseconds since 1970: seconds if they are too few; null if it is neither. */
function millisecondsOf(time: number | null): number | null {
  if (time === null || !(time >= 1e8 && time < 8e15)) return null;
  return time < 1e11 ? 1000 * time : time;
}

async function answered(
  { name, segment, unit, evaluation, settledUpTo, log, losses }: Folded,
  questions: EvaluateQuestions,
  history: boolean,
  signal: AbortSignal,
  progress: ProgressLine,
): Promise<EvaluatedLog> {
  const { arms, cap, floor } = evaluation.options;
  const { missing, mix, tail, against } = questions;
  const reward = unit === "reward";
  if (history) evaluation.remember();
  const answers = logAnswers(evaluation, { missing, mix: mix === null ? null : mixOf(mix, arms), tail, reward });
  let redrawn: Redrawn | null = null;
  if (against !== null) {
    const short = losses.findIndex(({ length }) => length < FEWEST_TO_REDRAW);
    if (short >= 0) throw new Failure("ERR_DATA", `${arms[short]} has ${losses[short]!.length} losses; ${FEWEST_TO_REDRAW} are needed`, "--against");
    const onRun = async (run: number) => {
      progress.show(() => `${run} of ${REDRAWN_RUNS} runs redrawn`);
      await new Promise(setImmediate);
      signal.throwIfAborted();
    };
    try {
      redrawn = await redraw({ losses: losses.map((own) => Float64Array.from(own)), policy: against, rounds: answers.decisions, cap, floor, onRun });
    } catch (error) {
      throw at("--against", error);
    }
    if (reward) redrawn = { ...redrawn, mean: 0 - redrawn.mean, low: 0 - redrawn.high, high: 0 - redrawn.low };
  }
  return {
    name,
    segment,
    settledUpTo: settledUpTo === null ? null : new Date(settledUpTo).toISOString(),
    ...answers,
    log,
    against: redrawn,
    history: { arms, moments: evaluation.history },
  };
}

/** Opens the file when it is read, and unpacks it. */
async function* bytesOf(name: string, signal: AbortSignal): AsyncGenerator<Uint8Array> {
  if (name === "-" && process.stdin.isTTY) say("waiting for a log; Ctrl-D ends the input");
  const input = name === "-" ? process.stdin : createReadStream(name, { highWaterMark: 1 << 17 });
  yield* unpacked(chunks(addAbortSignal(signal, input), name), inputName(name));
}

/** The first characters of an input, and all of it. */
async function begun(input: AsyncIterable<Uint8Array>): Promise<{ start: string; bytes: AsyncIterable<Uint8Array> }> {
  const source = input[Symbol.asyncIterator]();
  const first: Uint8Array[] = [];
  let length = 0;
  while (length < 16) {
    const { done, value } = await source.next();
    if (done) break;
    first.push(value);
    length += value.length;
  }
  const bytes = (async function* () {
    yield* first;
    yield* { [Symbol.asyncIterator]: () => source };
  })();
  return { start: new TextDecoder().decode(Buffer.concat(first).subarray(0, 64)).trimStart(), bytes };
}
