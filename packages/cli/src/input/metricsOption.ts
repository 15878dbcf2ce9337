import { Option } from "@commander-js/extra-typings";

export function metricsOption() {
  return new Option("--metrics <port>", "serve /healthz and /metrics (Prometheus) on this port of all addresses; 0 for any that is free");
}
