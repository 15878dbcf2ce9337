// Ours: the tickets of the router (`@tsallis/router`), with nothing set but the upstreams, the timeout, the seed and the simulated clock. Losses are seconds, and
// a failure costs the timeout. Its upstreams are URLs, so it has the defaults of requests over HTTP: a request that still waits is learned as soon as its wait decides
// what it teaches, and the rounds per second are limited.
import { type ChooseOptions, createRouter, type Ticket } from "@tsallis/router";
import type { Rule, RuleContext } from "./rule.js";

/** Sessions of ten requests, fifty at a time, each of which stays where it is until that fails or is clearly worse. */
export function tsallisSessions(context: Parameters<typeof tsallisRule>[0]): Rule {
  return tsallisRule(context, (request) => ({ session: `${Math.floor(request / 500)}-${request % 50}` }));
}

export function tsallisRule(
  { upstreams, timeout, seed }: Pick<RuleContext, "upstreams" | "timeout" | "seed">,
  options: (request: number) => ChooseOptions = () => ({}),
): Rule {
  let time = 0;
  const names = Array.from({ length: upstreams }, (_, i) => `http://upstream-${i}`);
  const router = createRouter({ upstreams: names, timeoutMs: timeout, lossIsElapsedSeconds: true, seed, clockSeconds: () => time });
  const open = new Map<number, Ticket>();
  return {
    choose(request, now) {
      time = now / 1000;
      const ticket = router.choose(options(request));
      open.set(request, ticket);
      return names.indexOf(ticket.upstream);
    },
    answered(request, _upstream, now, latency, failed) {
      time = now / 1000;
      const ticket = open.get(request)!;
      open.delete(request);
      if (failed) ticket.failed();
      else ticket.done(latency / 1000);
    },
  };
}
