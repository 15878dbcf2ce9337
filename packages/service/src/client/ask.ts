import type { Problem } from "../schemas.js";

/** Why the service could not be asked, or what it refused. */
export class ClientError extends Error {
  override readonly name = "ClientError";

  constructor(
    /** The service's own code; ERR_TIMEOUT if it did not answer in time; ERR_ANSWER if what answered was not the service. ERR_BODY may come without it. */
    readonly code: string,
    message: string,
    /** The HTTP status; null if there was no answer. */
    readonly status: number | null,
    /** What the service complains about, if it names something. */
    readonly parameter?: string,
    cause?: unknown,
  ) {
    super(message, cause === undefined ? undefined : { cause });
  }
}

export interface Asking {
  readonly url: string;
  readonly key: string | undefined;
  readonly fetch: typeof globalThis.fetch;
}

/** One attempt: what was answered, or why it failed, whether to try again, and how long to wait at least. */
type Attempt<Answer> = { readonly value: Answer } | { readonly error: ClientError; readonly again: boolean; readonly wait: number };

/** The longest time that timers know. */
const LONGEST_MS = 2 ** 31 - 1;
/** Less is not worth a second attempt. */
const SHORTEST_ATTEMPT_MS = 50;
const FIRST_WAIT_MS = 50;
const LONGEST_WAIT_MS = 2_000;

/** How long to try. */
export interface AskOptions {
  /** Milliseconds for all attempts together. */
  readonly timeoutMs?: number | undefined;
  /** Ends all attempts: the call rejects with the signal's reason. */
  readonly signal?: AbortSignal | undefined;
}

export interface Question<Answer> extends AskOptions {
  readonly method?: "GET" | "PUT" | "PATCH" | "POST" | "DELETE";
  readonly path: readonly string[];
  readonly query?: Readonly<Record<string, string | number | undefined>>;
  readonly body?: object;
  /** What if-match names. */
  readonly revision?: string | undefined;
  readonly timeoutMs: number;
  /** Whether what came is what the service answers. Something else may stand in its place. */
  readonly isAnswer: (value: unknown) => value is Answer;
}

/**
 * Asks until there is an answer, for `timeoutMs` in all. Tries again, after longer and longer waits, where nothing answers or the service is
 * busy (408, 429, 5xx): it must be something that may be asked twice. An attempt gets half of the time that is left, since a connection may be dead without
 * anybody knowing. Gives up at once when the next attempt would come too late.
 */
export async function ask<Answer>(asking: Asking, question: Question<Answer>): Promise<Answer> {
  const { timeoutMs, isAnswer, signal: outer } = question;
  if (!(timeoutMs >= 0 && timeoutMs <= LONGEST_MS)) throw new RangeError(`timeoutMs must be in [0, ${LONGEST_MS}], got ${timeoutMs}`);
  const end = performance.now() + timeoutMs;
  const request = written(asking, question);
  let told: ClientError | undefined;
  for (let longest = FIRST_WAIT_MS; ; longest = Math.min(2 * longest, LONGEST_WAIT_MS)) {
    const left = Math.max(0, end - performance.now());
    const limit = AbortSignal.timeout(Math.ceil(left < 2 * SHORTEST_ATTEMPT_MS ? left : left / 2));
    outer?.throwIfAborted();
    const attempt = await attempted(asking, request, outer === undefined ? limit : AbortSignal.any([limit, outer]), isAnswer);
    outer?.throwIfAborted();
    if ("value" in attempt) return attempt.value;
    const { error, again, wait } = attempt;
    if (!again) throw error;
    // What the service said is worth more than that it could not be reached.
    if (error.status !== null || told === undefined) told = error;
    // At random, so that many clients do not come back at the same moment.
    const pause = Math.max(wait, longest * (0.5 + Math.random() / 2));
    if (performance.now() + pause >= end) throw told;
    await paused(pause, outer);
  }
}

/** Waits, or until the signal. */
async function paused(ms: number, signal: AbortSignal | undefined): Promise<void> {
  await new Promise<void>((resolve) => {
    const done = () => {
      clearTimeout(timer);
      signal?.removeEventListener("abort", done);
      resolve();
    };
    const timer = setTimeout(done, ms);
    signal?.addEventListener("abort", done);
  });
}

interface Written {
  readonly to: string;
  readonly init: RequestInit;
}

/** What cannot be written will not be written by trying again. */
function written({ url, key }: Asking, { method = "POST", path, query = {}, body, revision }: Question<unknown>): Written {
  const own = {
    ...(key === undefined ? {} : { authorization: `Bearer ${key}` }),
    ...(revision === undefined ? {} : { "if-match": `"${revision}"` }),
  };
  try {
    const asked = Object.entries(query).filter(([, value]) => value !== undefined);
    const search = asked.map(([name, value]) => `${name}=${encodeURIComponent(value!)}`).join("&");
    // A colon may stand in a path, and the service's own does.
    const to = `${url}/${path.map((part) => encodeURIComponent(part).replaceAll("%3A", ":")).join("/")}${search === "" ? "" : `?${search}`}`;
    const content = body === undefined ? {} : { body: JSON.stringify(body) };
    const headers = body === undefined ? own : { "content-type": "application/json", ...own };
    return { to, init: { method, headers, ...content, redirect: "error", credentials: "omit" } };
  } catch (error) {
    throw new ClientError("ERR_BODY", `this cannot be sent: ${(error as Error).message}`, null, undefined, error);
  }
}

async function attempted<Answer>(
  { url, fetch }: Asking,
  { to, init }: Written,
  signal: AbortSignal,
  isAnswer: (value: unknown) => value is Answer,
): Promise<Attempt<Answer>> {
  try {
    const response = await beforeAbort(fetch(to, { ...init, signal }), signal);
    const { ok, status } = response;
    if (ok) {
      const value: unknown = await beforeAbort(response.json(), signal).catch((error) =>
        error instanceof SyntaxError ? null : Promise.reject(error),
      );
      return isAnswer(value) ? { value } : { error: foreign(status), again: true, wait: 0 };
    }
    const found = await beforeAbort(response.json(), signal).catch(() => null);
    return {
      error: refusal(status, found),
      again: status === 408 || status === 429 || status >= 500,
      wait: retryAfter(response.headers.get("retry-after")),
    };
  } catch (error) {
    return { error: new ClientError("ERR_TIMEOUT", `${url} did not answer in time`, null, undefined, error), again: true, wait: 0 };
  }
}

/** A fetch that somebody has passed in may not know signals. */
function beforeAbort<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const abort = () => reject(signal.reason);
    if (signal.aborted) abort();
    signal.addEventListener("abort", abort, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener("abort", abort));
  });
}

function refusal(status: number, body: unknown): ClientError {
  return isProblem(body) ? clientError(body, status) : foreign(status);
}

export function isProblem(value: unknown): value is Problem {
  const { code, detail } = (value ?? {}) as Partial<Problem>;
  return typeof code === "string" && typeof detail === "string";
}

/** What the service refused. */
export function clientError({ code, detail, parameter }: Problem, status: number | null): ClientError {
  return new ClientError(code, detail, status, typeof parameter === "string" ? parameter : undefined);
}

function foreign(status: number): ClientError {
  return new ClientError("ERR_ANSWER", `the answer has the status ${status}, and is not the service's`, status);
}

/** In milliseconds, from seconds or a date; 0 if the header is absent or neither. */
function retryAfter(header: string | null): number {
  if (header === null) return 0;
  const ms = /^\d+$/.test(header) ? Number(header) * 1000 : Date.parse(header) - Date.now();
  return ms > 0 ? ms : 0;
}

/**
 * Where the service is, without a slash at the end. A path alone is one of the page's own site. Secrets in it are refused, since errors quote it, and a
 * query, since the routes are appended.
 */
export function address(url: string | URL): string {
  const { location } = globalThis as { location?: { readonly href: string } };
  const parsed = URL.canParse(`${url}`, location?.href) ? new URL(`${url}`, location?.href) : null;
  if (parsed === null || !/^https?:$/.test(parsed.protocol)) throw new TypeError("url must be an address of HTTP, such as http://127.0.0.1:7411");
  const { username, password, search, hash, origin, pathname } = parsed;
  if (username !== "" || password !== "") throw new TypeError("url must not have a user or a password; the key goes into key");
  if (search !== "" || hash !== "") throw new TypeError("url must not have a query or a fragment");
  return origin + pathname.replace(/\/+$/, "");
}
