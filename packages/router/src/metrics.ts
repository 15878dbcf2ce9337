import type { Explanation, UpstreamExplanation } from "./explanation.js";
import type { Ledger } from "./ledger.js";
import { OUTCOMES } from "./upstreamRecord.js";

/** The numbers of an explanation in Prometheus's text format, version 0.0.4. */
export function metrics(ledger: Ledger, { upstreams, regime }: Explanation): string {
  const lines: string[] = [];
  const family = (name: string, type: string, help: string) => lines.push(`# HELP ${name} ${help}`, `# TYPE ${name} ${type}`);
  const each = (name: string, type: string, help: string, value: (upstream: UpstreamExplanation) => number | null) => {
    family(name, type, help);
    for (const upstream of upstreams) {
      const number = value(upstream);
      if (number !== null) lines.push(`${name}{${label("upstream", upstream.upstream)}} ${number}`);
    }
  };
  each("tsallis_router_chosen_total", "counter", "Times that the upstream was chosen.", ({ chosen }) => chosen);
  family("tsallis_router_closed_total", "counter", "Choices that have ended, by outcome.");
  for (const upstream of upstreams) {
    for (const outcome of OUTCOMES) {
      lines.push(`tsallis_router_closed_total{${label("upstream", upstream.upstream)},${label("outcome", snake(outcome))}} ${upstream[outcome]}`);
    }
  }
  each("tsallis_router_open", "gauge", "Choices that have not ended yet.", ({ open }) => open);
  each("tsallis_router_skipped_total", "counter", "Losses that the policy has skipped.", ({ skipped }) => skipped);
  each("tsallis_router_overdue_total", "counter", "Requests from which the policy learned before they ended.", ({ overdue }) => overdue);
  each("tsallis_router_late_total", "counter", "Forgotten tickets that were closed later.", ({ late }) => late);
  each("tsallis_router_repeated_total", "counter", "Calls that closed a ticket which had already ended.", ({ repeated }) => repeated);
  each("tsallis_router_probability", "gauge", "Probability that the upstream is chosen next.", ({ probability }) => probability);
  family("tsallis_router_regime_changes_total", "counter", "Times that the favourite has changed for good.");
  lines.push(`tsallis_router_regime_changes_total ${regime.changes}`);
  const loss = ledger.options.inSeconds ? "tsallis_router_loss_seconds" : "tsallis_router_loss";
  family(loss, "summary", "Losses that were learned, including the costs of failures; quantiles over the last 1000.");
  for (const [arm, { upstream, recent, done, failed, timedOut }] of upstreams.entries()) {
    const name = label("upstream", upstream);
    if (recent !== null) {
      for (const [quantile, value] of [
        [0.5, recent.p50],
        [0.9, recent.p90],
        [0.99, recent.p99],
      ])
        lines.push(`${loss}{${name},quantile="${quantile}"} ${value}`);
    }
    lines.push(`${loss}_sum{${name}} ${ledger.records[arm]!.sum}`, `${loss}_count{${name}} ${done + failed + timedOut}`);
  }
  return `${lines.join("\n")}\n`;
}

function label(name: string, value: string): string {
  const escaped = value.replaceAll("\\", "\\\\").replaceAll('"', '\\"').replaceAll("\n", "\\n");
  return `${name}="${escaped}"`;
}

/** Prometheus writes names and label values in snake_case. */
function snake(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}
