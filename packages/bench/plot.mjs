// Draws docs/kernel-cost.svg, the cost of a round against the number of arms, from what `npm run -s bench -- --json` printed:
//
//   npm run -s bench -- --json > bench.json && node packages/bench/plot.mjs bench.json docs/kernel-cost.svg
import { readFileSync, writeFileSync } from "node:fs";

const [source, target] = process.argv.slice(2);
if (source === undefined || target === undefined) {
  console.error("usage: node packages/bench/plot.mjs <bench.json> <target.svg>");
  process.exit(2);
}

/** @type {{ policy: string, kernel: string | null, arms: number, alpha: number | null, nsPerRound: number, age: number | null }[]} */
const results = JSON.parse(readFileSync(source, "utf8"));

const WIDTH = 760;
const HEIGHT = 440;
const LEFT = 74;
const RIGHT = 132;
const TOP = 56;
const BOTTOM = 52;
/** One colour per alpha, readable on white and on near-black. */
const COLOURS = new Map([
  [2, "#2f7ed8"],
  [1.7, "#d9622b"],
  [1.5, "#2a9d6f"],
]);

const cells = results.filter(({ policy, kernel, age }) => policy === "htinf" && kernel !== null && age === null);
/** The powers of 10 around some values. @param {number[]} values @returns {[low: number, high: number]} */
const decades = (values) => [Math.floor(Math.log10(Math.min(...values))), Math.ceil(Math.log10(Math.max(...values)))];
const [x0, x1] = decades(cells.map(({ arms }) => arms));
const [y0, y1] = decades(cells.map(({ nsPerRound }) => nsPerRound));
const x = (/** @type {number} */ arms) => LEFT + ((Math.log10(arms) - x0) / (x1 - x0)) * (WIDTH - LEFT - RIGHT);
const y = (/** @type {number} */ time) => HEIGHT - BOTTOM - ((Math.log10(time) - y0) / (y1 - y0)) * (HEIGHT - TOP - BOTTOM);
const at = (/** @type {number} */ value) => value.toFixed(1);

/** @param {number} exponent of 10, in nanoseconds */
function duration(exponent) {
  const units = ["ns", "µs", "ms", "s"];
  const unit = Math.min(Math.floor(exponent / 3), 3);
  return `${10 ** (exponent - 3 * unit)} ${units[unit]}`;
}

/** @param {number} low @param {number} high */
const range = (low, high) => Array.from({ length: high - low + 1 }, (_, i) => low + i);

const grid = [
  ...range(y0, y1).map((e) => {
    const height = at(y(10 ** e));
    return `<line class="grid" x1="${LEFT}" x2="${WIDTH - RIGHT}" y1="${height}" y2="${height}"/><text x="${LEFT - 8}" y="${height}" dy="4" text-anchor="end">${duration(e)}</text>`;
  }),
  ...range(x0, x1).map((e) => {
    const place = at(x(10 ** e));
    const name = (10 ** e).toLocaleString("en");
    return `<line class="grid" x1="${place}" x2="${place}" y1="${TOP}" y2="${HEIGHT - BOTTOM}"/><text x="${place}" y="${HEIGHT - BOTTOM + 18}" text-anchor="middle">${name}</text>`;
  }),
];

/** The labels at the right end, moved apart below so that no two overlap. @type {{ wanted: number, text: string, colour: string }[]} */
const labels = [];
const lines = ["dense", "indexed"].flatMap((kernel) =>
  [...COLOURS].map(([alpha, colour]) => {
    const points = cells.filter((each) => each.kernel === kernel && each.alpha === alpha).sort((a, b) => a.arms - b.arms);
    const end = points.at(-1);
    if (end !== undefined) labels.push({ wanted: y(end.nsPerRound), text: `${kernel}, α = ${alpha}`, colour });
    const path = points.map(({ arms, nsPerRound }, i) => `${i === 0 ? "M" : "L"}${at(x(arms))} ${at(y(nsPerRound))}`).join(" ");
    const dots = points.map(({ arms, nsPerRound }) => `<circle cx="${at(x(arms))}" cy="${at(y(nsPerRound))}" r="3" fill="${colour}"/>`).join("");
    return `<path d="${path}" fill="none" stroke="${colour}" stroke-width="2"${kernel === "dense" ? ' stroke-dasharray="6 4"' : ""}/>${dots}`;
  }),
);

labels.sort((a, b) => a.wanted - b.wanted);
let free = Number.NEGATIVE_INFINITY;
const names = labels.map(({ wanted, text, colour }) => {
  free = Math.max(wanted, free + 16);
  return `<text class="name" x="${WIDTH - RIGHT + 10}" y="${at(free)}" dy="4" fill="${colour}">${text}</text>`;
});

const svg = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${HEIGHT}" width="${WIDTH}" height="${HEIGHT}" role="img" aria-label="Cost of a round of HTINF against the number of arms, both axes logarithmic: the dense kernel's grows with the number of arms, the indexed kernel's hardly does">
<style>
  text { font: 12px system-ui, sans-serif; fill: #555; }
  .title { font-size: 15px; font-weight: 600; fill: #222; }
  .name { font-weight: 600; }
  .grid { stroke: #8884; }
  .page { fill: #fff; }
  @media (prefers-color-scheme: dark) { text { fill: #aaa; } .title { fill: #eee; } .page { fill: #15181c; } }
${[...COLOURS.values()].map((colour) => `  text[fill="${colour}"] { fill: ${colour}; }`).join("\n")}
</style>
<rect class="page" width="${WIDTH}" height="${HEIGHT}" rx="6"/>
<text class="title" x="${LEFT}" y="26">Cost of a round of HTINF, choose and update</text>
<text x="${LEFT}" y="44">median time per round; dashed: dense kernel, solid: indexed kernel</text>
${grid.join("\n")}
<text x="${(LEFT + WIDTH - RIGHT) / 2}" y="${HEIGHT - 12}" text-anchor="middle">number of arms K</text>
${lines.join("\n")}
${names.join("\n")}
</svg>
`;
writeFileSync(target, svg);
