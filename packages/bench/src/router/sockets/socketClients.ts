import { createRouter } from "@tsallis/router";
import { stream } from "tsallis";
import { BalancedPool, type Dispatcher, Pool } from "undici";
import { peakEwma } from "../rules/peakEwma.js";
import { roundRobin } from "../rules/roundRobin.js";
import type { Rule, RuleContext } from "../rules/rule.js";
import { OURS, ROUND_ROBIN } from "../rules/rules.js";
import { twoChoices } from "../rules/twoChoices.js";
import { BALANCED_POOL } from "../servers/clients.js";
import { SOCKET_TIMEOUT_MS } from "./socketScenarios.js";

/** A way to send requests to real servers. */
export interface SocketClient {
  /** Sends a request and reads the answer; rejects if it fails. A caller who gives up has a signal of its own. */
  send(request: number, path: string, signal: AbortSignal | null): Promise<void>;
  close(): Promise<unknown>;
}

export interface SocketClientContext {
  readonly urls: readonly string[];
  readonly seed: number;
  /** Whether the router gets the option `route`. */
  readonly named: boolean;
}

/** Every rule, by the name that the tables give it. Each gets the addresses and nothing else. */
export const SOCKET_CLIENTS: Readonly<Record<string, (context: SocketClientContext) => SocketClient>> = {
  [BALANCED_POOL]({ urls }) {
    const dispatcher = new BalancedPool([...urls]);
    return { send: (_request, path, signal) => get(dispatcher, path, signal ?? timeout()), close: () => dispatcher.destroy() };
  },
  [ROUND_ROBIN]: byRule(roundRobin),
  "two choices": byRule((context) => (context.upstreams === 1 ? roundRobin(context) : twoChoices(context))),
  // A failure counts as a latency of the timeout. As the time that it took, fast failures would attract requests, and this rule would be no match.
  "peak-ewma": byRule((context) => (context.upstreams === 1 ? roundRobin(context) : peakEwma(context)), SOCKET_TIMEOUT_MS),
  [OURS]({ urls, seed, named }) {
    const route = ({ path }: { path: string }) => (path.startsWith("/slow/") ? "slow" : "other");
    const router = createRouter({ upstreams: urls, timeoutMs: SOCKET_TIMEOUT_MS, seed, ...(named && { route }) });
    const dispatcher = router.dispatcher();
    return { send: (_request, path, signal) => get(dispatcher, path, signal ?? undefined), close: () => dispatcher.destroy() };
  },
};

/** A rule over plain pools, which learns a failure as the time that it took, or as `failureMs` if that is more. */
function byRule(createRule: (context: Pick<RuleContext, "upstreams" | "rng">) => Rule, failureMs = 0) {
  return ({ urls, seed }: SocketClientContext): SocketClient => {
    const pools = urls.map((url) => new Pool(url));
    const rule = createRule({ upstreams: urls.length, rng: stream(seed, "rule") });
    return {
      async send(request, path, signal) {
        const sent = performance.now();
        const upstream = rule.choose(request, sent);
        const ended = (failed: boolean) => {
          const now = performance.now();
          rule.answered(request, upstream, now, Math.max(now - sent, failed ? failureMs : 0), failed);
        };
        try {
          await get(pools[upstream]!, path, signal ?? timeout());
        } catch (error) {
          ended(signal?.aborted !== true);
          throw error;
        }
        ended(false);
      },
      close: () => Promise.all(pools.map((pool) => pool.destroy())),
    };
  };
}

/** None of these rules has a timeout of its own. */
function timeout(): AbortSignal {
  return AbortSignal.timeout(SOCKET_TIMEOUT_MS);
}

async function get(dispatcher: Dispatcher, path: string, signal: AbortSignal | undefined): Promise<void> {
  // These dispatchers ignore the origin: they know where to go.
  const { statusCode, body } = await dispatcher.request({ origin: "http://upstream", path, method: "GET", signal });
  await body.dump();
  if (statusCode !== 200) throw new Error(`status ${statusCode}`);
}
