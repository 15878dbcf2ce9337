import type { Problem } from "@tsallis/service/client";
import { setServerTime } from "./clock.js";
import { Failure } from "./failure.js";
import { currentKey } from "./key.js";

const PATIENCE_MS = 20_000;
let received = 0;

/** The bytes of all answers so far, as they came over the wire. */
export function receivedBytes(): number {
  return received;
}

/** The answer of the service to a GET. The path is relative to the page, so that the service may live below any address. */
export async function ask<Answer>(path: string, signal?: AbortSignal): Promise<Answer> {
  const response = await send(path, {}, signal);
  return (await response.json().catch(() => {
    throw new Failure(response.status, "", "What came back is not JSON. Perhaps something other than the service answers at this address.");
  })) as Answer;
}

export interface Sent {
  readonly method?: string;
  readonly body?: object | undefined;
}

export async function send(path: string, { method = "GET", body }: Sent = {}, signal?: AbortSignal): Promise<Response> {
  const key = currentKey();
  const limit = AbortSignal.timeout(PATIENCE_MS);
  const response = await fetch(path, {
    method,
    headers: {
      ...(key === undefined ? {} : { authorization: `Bearer ${key}` }),
      ...(body === undefined ? {} : { "content-type": "application/json" }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    signal: signal === undefined ? limit : AbortSignal.any([signal, limit]),
    cache: "no-store",
    credentials: "omit",
    referrerPolicy: "no-referrer",
  }).catch((error) => {
    if (signal?.aborted) throw error;
    throw new Failure(0, "", limit.aborted ? `It took longer than ${PATIENCE_MS / 1000} s.` : "Is it running, and is there a network?");
  });
  setServerTime(response.headers.get("date"));
  received += Number(response.headers.get("content-length") ?? 0);
  if (response.ok) return response;
  const problem = (await response.json().catch(() => undefined)) as Partial<Problem> | undefined;
  throw new Failure(response.status, problem?.code ?? "", problem?.detail ?? response.statusText);
}
