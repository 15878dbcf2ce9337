import { digest } from "../../random/labels.js";
import type { PolicySpec } from "./policy.js";

/** Names a completed spec with its number of arms and its shape: equal specs give equal names, whatever the order of their keys. */
export function fingerprint(spec: PolicySpec, arms: number, shape = 0): string {
  const canonical = JSON.stringify(Object.entries(spec).sort(([a], [b]) => (a < b ? -1 : 1)));
  const words = digest(0, ["policy", canonical, arms, ...(shape === 0 ? [] : [shape])]);
  return `${spec.policy}-${[words[0]!, words[1]!].map((word) => (word >>> 0).toString(16).padStart(8, "0")).join("")}`;
}
