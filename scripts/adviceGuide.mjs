// Writes a table of docs/guides/advise.md, what following the advice costs, from the results of the benchmark:
//
//   npm run -s bench -- advice --json | node scripts/adviceGuide.mjs kinds
//
// packages/bench/test/advice.long.test.ts fails if the figures are not those of the policies.
import { readFileSync, writeFileSync } from "node:fs";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";

const PAGE = fileURLToPath(new URL("../docs/guides/advise.md", import.meta.url));

/** @typedef {import("../packages/bench/dist/advice/adviceResult.js").AdviceResult} AdviceResult */

/** @param {AdviceResult} result */
function row({ kind, recommended, share, best }) {
  const names = Object.keys(recommended).map((policy) => `\`${policy}\``);
  return [kind, names.join(", "), share.toFixed(3), `\`${best.policy}\``, best.share.toFixed(3)];
}

const name = process.argv[2];
const head = ["kind of data set", "recommended", "share", "best that requires no more", "its share"];
const rows = /** @type {AdviceResult[]} */ (JSON.parse(await text(process.stdin))).map(row);
const table = [head, head.map(() => "---"), ...rows].map((cells) => `| ${cells.join(" | ")} |`).join("\n");
const page = readFileSync(PAGE, "utf8");
const [start, end] = [`<!-- generated: ${name}, by scripts/adviceGuide.mjs -->\n`, `<!-- end of ${name} -->`];
const [from, to] = [page.indexOf(start), page.indexOf(end)];
if (from < 0 || to < 0) throw new Error(`docs/guides/advise.md has no part ${JSON.stringify(name)}`);
writeFileSync(PAGE, `${page.slice(0, from + start.length)}\n${table}\n\n${page.slice(to)}`);
