import type { Audited } from "@tsallis/service";
import { counted } from "./counted.js";

/** The line that an audit prints for a log. */
export function auditText({ name, after, events, decisions, otherVersions, versions, head, differs }: Audited): string {
  const from = after === 0 ? "" : `pruned, so audited from its snapshot at event ${after.toLocaleString("en")} on: `;
  if (differs !== null) return `${name}: ${from}${counted(events, "event")} as recorded; event ${differs.seq.toLocaleString("en")} is not\n`;
  const others =
    otherVersions === 0
      ? ""
      : `; ${counted(otherVersions, "decision")} of ${versions.join(", ")} not recomputed: that takes the version that made them`;
  return `${name}: ${from}${counted(events, "event")}, ${counted(decisions, "decision")}: all as recorded, bit for bit (head ${head})${others}\n`;
}
