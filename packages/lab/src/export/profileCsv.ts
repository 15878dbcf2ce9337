import type { Profile } from "../analysis/profile.js";
import type { Profiles } from "../analysis/profiles.js";
import { csvLine } from "./csv.js";

/** One line per policy and environment (RFC 4180). The ratio is empty if no run completed; the share is empty if it is unknown. */
export function profileCsv({ sound, broken }: Profiles): string {
  const lines = (profile: Profile, truncatedNonNegative: string | null) =>
    profile.flatMap(({ policy, ratios, neverLearned }) =>
      [...ratios].map(([environment, ratio]) =>
        csvLine([policy, environment, ratio < Infinity ? ratio : null, neverLearned.get(environment) ?? null, truncatedNonNegative]),
      ),
    );
  return [
    csvLine(["policy", "environment", "ratio", "neverLearned", "truncatedNonNegative"]),
    ...lines(sound, null),
    ...lines(broken ?? [], "fails"),
  ].join("");
}
