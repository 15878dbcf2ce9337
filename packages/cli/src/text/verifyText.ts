import type { Verification } from "@tsallis/lab/report";
import { counted } from "./quantities.js";
import { shownPath } from "./terminal.js";

/** What a check of a folder of results found, one line for each finding. */
export function verifyText(
  { name, hash, runs, completed, failed, compared, findings }: Omit<Verification, "frozen"> & { readonly name: string; readonly hash: string },
  directory: string,
): string {
  const open = runs - completed - failed;
  const rest = failed === 0 ? "" : ` (${failed.toLocaleString("en")} failed)`;
  const head = `${shownPath(directory)}: ${name}, hash ${hash.slice(0, 8)}, ${counted(runs, "run")}${rest}\n`;
  const found = findings.map(({ file, problem, detail }) => `  ${file}: ${problem}: ${detail}\n`).join("");
  if (findings.length === 0)
    return `${head}Intact: every line of the journal is valid, and ${counted(compared, "file")} made from it ${compared === 1 ? "is" : "are"} the same, byte for byte.\n`;
  if (open === 0) return head + found;
  const there = `${(runs - open).toLocaleString("en")} of ${counted(runs, "run")} ${runs === 1 ? "is" : "are"} there, ${open.toLocaleString("en")} still to play`;
  const others =
    findings.length === 1 ? `${counted(compared, "file")} made from the journal ${compared === 1 ? "is" : "are"} the same, byte for byte.\n` : "";
  return `${head}${found}${there}; continue with the command that made the folder.\n${others}`;
}
