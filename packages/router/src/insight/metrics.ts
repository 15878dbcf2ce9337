import { type HedgeStatus, NO_HEDGE } from "../http/hedge.js";
import { NO_RETRY, type RetryStatus } from "../http/retry.js";
import type { LogStatus } from "../log/decisionLog.js";
import type { Route } from "../model/route.js";
import type { RouterModel } from "../model/routerModel.js";
import { BUCKETS, type Counter, OUTCOMES } from "../model/upstreamRecord.js";

/** The counters in Prometheus's text format, version 0.0.4. Nothing here sorts: a scrape of a thousand upstreams has to be cheap. */
export function metrics(model: RouterModel, now: number): string {
  const { options, routes } = model;
  const records = model.upstreams.map(({ record }) => record);
  const upstreams = model.upstreams.map(({ name }) => label("upstream", name));
  let text = "";
  const family = (name: string, type: string, help: string) => {
    text += `# HELP ${name} ${help}\n# TYPE ${name} ${type}\n`;
  };
  const each = (name: string, type: string, help: string, counter: Counter) => {
    family(name, type, help);
    for (const [arm, upstream] of upstreams.entries()) text += `${name}{${upstream}} ${records[arm]![counter]}\n`;
  };
  each("tsallis_router_chosen_total", "counter", "Times that the upstream was chosen.", "chosen");
  family("tsallis_router_closed_total", "counter", "Choices that have ended, by outcome.");
  const outcomes = OUTCOMES.map((outcome) => [outcome, label("outcome", snake(outcome))] as const);
  for (const [arm, upstream] of upstreams.entries()) {
    for (const [outcome, labelled] of outcomes) text += `tsallis_router_closed_total{${upstream},${labelled}} ${records[arm]![outcome]}\n`;
  }
  each("tsallis_router_open", "gauge", "Choices that have not ended yet.", "open");
  each("tsallis_router_skipped_total", "counter", "Losses that the policy has skipped.", "skipped");
  each("tsallis_router_overdue_total", "counter", "Requests from which the policy learned before they ended.", "overdue");
  each("tsallis_router_late_total", "counter", "Forgotten tickets that were closed later.", "late");
  each("tsallis_router_repeated_total", "counter", "Calls that closed a ticket which had already ended.", "repeated");
  family("tsallis_router_probability", "gauge", "Probability that the upstream is chosen next.");
  for (const route of routes.values()) {
    for (const [arm, probability] of model.outlook(route, now).probabilities(route)?.entries() ?? []) {
      text += `tsallis_router_probability{${[upstreams[arm], ...routeLabel(route, model)].join()}} ${probability}\n`;
    }
  }
  family("tsallis_router_failure_rate", "gauge", "Estimated probability that the next answer of the upstream is a failure.");
  for (const [arm, { failures, inFlight }] of model.upstreams.entries())
    text += `tsallis_router_failure_rate{${upstreams[arm]}} ${failures.rate(inFlight)}\n`;
  if (options.inSeconds) {
    family(
      "tsallis_router_load_factor",
      "gauge",
      "Estimated latency of the upstream with the requests in flight there, relative to its latency at rest.",
    );
    const doubt = model.doubt();
    for (const [arm, known] of model.upstreams.entries()) {
      text += `tsallis_router_load_factor{${upstreams[arm]}} ${known.latency.factor(known.inFlight, model.peers, doubt)}\n`;
    }
  }
  family("tsallis_router_alarms_total", "counter", "Times that the favourite was found to have become worse.");
  for (const route of routes.values()) {
    const labels = routeLabel(route, model);
    text += `tsallis_router_alarms_total${labels.length > 0 ? `{${labels}}` : ""} ${route.alarms ?? 0}\n`;
  }
  // The buckets are in seconds. Nothing is known of the size of losses in another unit, so these have a sum and a count only.
  const loss = options.inSeconds ? "tsallis_router_loss_seconds" : "tsallis_router_loss";
  family(loss, options.inSeconds ? "histogram" : "summary", "Losses that were learned, including the costs of failures.");
  const bounds = BUCKETS.map((bound) => `,${label("le", String(bound))}} `);
  for (const [arm, upstream] of upstreams.entries()) {
    const { buckets, sum, done, failed, timedOut } = records[arm]!;
    const count = done + failed + timedOut;
    if (options.inSeconds) {
      const bucket = `${loss}_bucket{${upstream}`;
      let lines = "";
      let below = 0;
      for (const [i, bound] of bounds.entries()) {
        below += buckets[i]!;
        lines += `${bucket}${bound}${below}\n`;
      }
      text += `${lines}${bucket},le="+Inf"} ${count}\n`;
    }
    text += `${loss}_sum{${upstream}} ${sum}\n${loss}_count{${upstream}} ${count}\n`;
  }
  return text;
}

/** The same of retries. */
export function retryMetrics({ retried, notRetried }: RetryStatus): string {
  let text = counter("tsallis_router_retries_total", "Failed requests that were sent again, to another upstream.", retried);
  const name = "tsallis_router_not_retried_total";
  text += `# HELP ${name} Failures that were not retried, by reason.\n# TYPE ${name} counter\n`;
  for (const reason of NO_RETRY) text += `${name}{${label("reason", reason)}} ${notRetried[reason]}\n`;
  return text;
}

/** The same of hedges. */
export function hedgeMetrics({ hedged, won, notHedged }: HedgeStatus): string {
  const name = "tsallis_router_not_hedged_total";
  return (
    counter("tsallis_router_hedges_total", "Late requests that were sent to a second upstream as well.", hedged) +
    counter("tsallis_router_hedges_won_total", "Those of them that the second upstream answered first.", won) +
    `# HELP ${name} Late requests that were not sent twice, by reason.\n# TYPE ${name} counter\n` +
    NO_HEDGE.map((reason) => `${name}{${label("reason", reason)}} ${notHedged[reason]}\n`).join("")
  );
}

/** The same of a decision log. */
export function logMetrics({ written, dropped }: LogStatus): string {
  return (
    counter("tsallis_router_log_written_total", "Lines written to the decision log.", written) +
    counter("tsallis_router_log_dropped_total", "Lines of the decision log that were lost, because they could not be written.", dropped)
  );
}

function counter(name: string, help: string, value: number): string {
  return `# HELP ${name} ${help}\n# TYPE ${name} counter\n${name} ${value}\n`;
}

/** The route of tickets that name none has no label, unless the router has a function that names routes. */
function routeLabel({ name }: Route, { options }: RouterModel): string[] {
  return options.route === null && name === options.defaultRoute ? [] : [label("route", name)];
}

function label(name: string, value: string): string {
  const escaped = value.replaceAll("\\", "\\\\").replaceAll('"', '\\"').replaceAll("\n", "\\n");
  return `${name}="${escaped}"`;
}

/** Prometheus writes names and label values in snake_case. */
function snake(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}
