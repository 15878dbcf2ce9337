import type { Profile } from "../analysis/profile.js";
import type { Profiles } from "../analysis/profiles.js";
import { csvLine } from "./csv.js";

/** One line per policy and environment (RFC 4180). The share is empty if no run completed, the ratio also where there is none, the share of stuck runs if it is unknown. */
export function profileCsv({ sound, broken }: Profiles): string {
  const lines = (profile: Profile, truncatedNonNegative: string | null) =>
    profile.flatMap(({ policy, cells }) =>
      [...cells].map(([environment, { share, stuck, ratio }]) =>
        csvLine([policy, environment, finite(share), stuck, finite(ratio), truncatedNonNegative]),
      ),
    );
  return [
    csvLine(["policy", "environment", "share", "stuck", "ratio", "truncatedNonNegative"]),
    ...lines(sound, null),
    ...lines(broken ?? [], "fails"),
  ].join("");
}

function finite(value: number | null): number | null {
  return value === Infinity ? null : value;
}
