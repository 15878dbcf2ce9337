import type { Verification } from "@tsallis/lab/report";
import { counted } from "./counted.js";
import { shownPath } from "./shownPath.js";

/** What a check of a folder of results found, one line for each finding. */
export function verifyText(
  { name, hash, runs, completed, failed, compared, findings }: Omit<Verification, "frozen"> & { readonly name: string; readonly hash: string },
  directory: string,
): string {
  const open = runs - completed - failed;
  const rest = [
    ...(failed > 0 ? [`${failed.toLocaleString("en")} failed`] : []),
    ...(open > 0 ? [`${open.toLocaleString("en")} still to be played`] : []),
  ];
  const head = `${shownPath(directory)}: ${name}, hash ${hash.slice(0, 8)}, ${counted(runs, "run")}${rest.length === 0 ? "" : ` (${rest.join(", ")})`}\n`;
  if (findings.length > 0) return `${head}${findings.map(({ file, problem, detail }) => `  ${file}: ${problem}: ${detail}\n`).join("")}`;
  return `${head}The journal is whole, and ${counted(compared, "file")} that follow from it are the same, byte for byte.\n`;
}
