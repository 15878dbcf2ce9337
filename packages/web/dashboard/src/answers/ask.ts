import type { Problem } from "@tsallis/service/client";
import { setServerTime } from "./clock.js";
import { Failure } from "./failure.js";
import { currentKey } from "./key.js";

const PATIENCE_MS = 20_000;

/** The answer of the service to a GET. The path is relative to the page, so that the service may live below any address. */
export async function ask<Answer>(path: string, signal?: AbortSignal): Promise<Answer> {
  const response = await send(path, signal);
  return (await response.json().catch(() => {
    throw new Failure(response.status, "", "What came back is not JSON. Perhaps something other than the service answers at this address.");
  })) as Answer;
}

export async function send(path: string, signal?: AbortSignal): Promise<Response> {
  const key = currentKey();
  const limit = AbortSignal.timeout(PATIENCE_MS);
  const response = await fetch(path, {
    headers: key === undefined ? {} : { authorization: `Bearer ${key}` },
    signal: signal === undefined ? limit : AbortSignal.any([signal, limit]),
    cache: "no-store",
    credentials: "omit",
    referrerPolicy: "no-referrer",
  }).catch((error) => {
    if (signal?.aborted) throw error;
    throw new Failure(0, "", limit.aborted ? `It took longer than ${PATIENCE_MS / 1000} s.` : "Is it running, and is there a network?");
  });
  setServerTime(response.headers.get("date"));
  if (response.ok) return response;
  const body = (await response.json().catch(() => undefined)) as Partial<Problem> | undefined;
  throw new Failure(response.status, body?.code ?? "", body?.detail ?? response.statusText);
}
