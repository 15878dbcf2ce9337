import { createRouter } from "@tsallis/router";
import { stream } from "tsallis";
import { Retry } from "../../../../router/dist/http/retry.js";

const UPSTREAMS = ["a", "b", "c", "d"];

/** The share of requests that fail although they are retried, where each attempt fails with the same probability anywhere, and how often requests are sent. */
export function simulateRetried(rate: number, seed: number, requests: number): { readonly failures: number; readonly sent: number } {
  const rng = stream(seed, "bench router", "retries");
  let time = 0;
  const router = createRouter({ upstreams: UPSTREAMS, timeoutMs: 5000, lossIsElapsedSeconds: true, seed, clockSeconds: () => time });
  const retry = new Retry({ attempts: 2, when: null, budget: 0.1 });
  let failures = 0;
  let sent = 0;
  for (let request = 0; request < requests; request++) {
    retry.budget.earn();
    const tried: string[] = [];
    for (;;) {
      const ticket = router.choose({ except: tried });
      tried.push(ticket.upstream);
      sent++;
      const seconds = 0.02 * Math.exp(0.5 * (rng.open() - 0.5));
      time += seconds;
      if (rng.uniform() >= rate) {
        ticket.done(seconds);
        break;
      }
      ticket.failed();
      if (retry.take(tried.length, UPSTREAMS.length - tried.length, null) === null) continue;
      failures++;
      break;
    }
  }
  return { failures: failures / requests, sent: sent / requests };
}
