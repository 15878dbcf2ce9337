import { readFileSync } from "node:fs";
import fc from "fast-check";
import { formatPercent } from "tsallis/statistics";
import { describe, expect, it } from "vitest";
import { linearAxis, logAxis, symlogAxis } from "../src/chart/axis.js";
import { DARK_COLOURS, DARK_VARIABLES, LIGHT_COLOURS, LIGHT_VARIABLES, seriesStyle } from "../src/chart/palette.js";
import { spread } from "../src/chart/spread.js";
import { completeExperiment } from "../src/document/completeExperiment.js";
import { escapeXml } from "../src/format/escapeXml.js";
import { fixed, formatShort } from "../src/format/formatShort.js";
import { renderFigures, renderReport } from "../src/report/page/renderReport.js";
import { WORDS } from "../src/report/page/script/charts.js";
import { html } from "../src/report/sections/html.js";
import { contrast, difference, SIGHTS } from "./colours.js";
import { experimentOf, growing, reportOf, type Story } from "./reports.js";

const ids = (page: string) => [...page.matchAll(/\sid="([^"]*)"/g)].map(([, id]) => id!);
const targets = (page: string) => [...page.matchAll(/href="#([^"]*)"/g)].map(([, id]) => id!);
/** The cells of the rows of a table's body, without markup. */
const rowsIn = (text: string) =>
  [...text.matchAll(/<tr[^>]*>(<th scope="row">.*?)<\/tr>/g)].map(([, row]) =>
    [...row!.matchAll(/<t[hd][^>]*>(.*?)<\/t[hd]>/g)].map(([, cell]) => cell!.replace(/<[^>]*>/g, "").trim()),
  );

describe("the page", () => {
  const page = renderReport(reportOf(experimentOf()));

  it("tells what was asked, what came out, what is proved and how to get it again", () => {
    for (const text of [
      "<h1>made-up</h1>",
      "The first policy has the least regret.",
      "no program judges it",
      "Ranking in heavy",
      "outside its guarantee",
      "truncated non-negativity",
      "tsallis run made-up.json",
      "0123456789abcdef".repeat(4),
      "1 to 8",
      "&quot;horizon&quot;: 10000",
    ])
      expect([text, page.includes(text)]).toEqual([text, true]);
  });

  it("says clear where the order is beyond noise, and open where it is not", () => {
    const said = (text: string) =>
      text.match(/<span class="verdict \w+">(\w+)<\/span> <strong><a href="#heavy">heavy<\/a><\/strong>: <b>(\w+)<\/b>/)?.slice(1);
    expect(said(page)).toEqual(["clear", "HTINF"]);
    const noisy: Story = ({ policy, seed }, round) => ({ regret: round ** 0.5 * (1 + ((seed * (1 + (policy.charCodeAt(0) % 5))) % 9)) });
    expect(said(renderReport(reportOf(experimentOf(), noisy)))?.[0]).toBe("open");
  });

  it("says whether the data support the claim, statement by statement", () => {
    const evidence = [
      { environment: "heavy", policy: "HTINF", beats: "uniform" },
      { environment: "heavy", policy: "OptTINF", exponent: [0.6, 0.8], along: "rounds" },
    ] as const;
    const supported = renderReport(reportOf(experimentOf({ evidence })));
    expect(supported.includes('<p class="answer supported">The data support the claim. <a href="#Evidence">All 2 statements hold.</a></p>')).toBe(
      true,
    );
    expect(supported.match(/<span class="verdict holds">/g)).toHaveLength(2);
    expect(supported.includes("&quot;beats&quot;: &quot;uniform&quot;")).toBe(true);
    const contradicted = renderReport(reportOf(experimentOf({ evidence: [{ environment: "heavy", policy: "OptTINF", beats: "HTINF" }] })));
    expect(contradicted).toContain(
      '<p class="answer contradicted">The data contradict the claim. <a href="#Evidence">Its one statement fails.</a></p>',
    );
    expect(page.includes('class="answer')).toBe(false);
  });

  it("sets the evidence out as a matrix of statements and environments, after the ranking", () => {
    const evidence = ["heavy", "left tail"].map((environment) => ({ environment, policy: "HTINF", beats: "uniform" }));
    const stated = renderReport(reportOf(experimentOf({ evidence: [...evidence, { environment: "heavy", policy: "OptTINF", beats: "uniform" }] })));
    const places = ['class="answer', "Mean pseudo-regret at the horizon", 'id="Evidence"', 'class="controls"'].map((text) => stated.indexOf(text));
    expect([...places].sort((a, b) => a - b)).toEqual(places);
    expect(Math.min(...places)).toBeGreaterThan(0);
    const matrix = stated.slice(places[2], places[3]);
    expect([...matrix.matchAll(/<tr><th scope="row">([^<]*)<\/th>/g)].map(([, statement]) => statement)).toEqual([
      "HTINF has less regret than uniform",
      "OptTINF has less regret than uniform",
    ]);
    expect(matrix.match(/<th scope="col">/g)).toHaveLength(3);
    expect(matrix.match(/class="verdict (?:holds|fails)"/g)).toHaveLength(3);
    expect(matrix.match(/not stated/g)).toHaveLength(1);
  });

  it("describes each environment: its distributions with their parameters, means, gaps, sigma, and the assumptions", () => {
    const heavy = page.slice(page.indexOf('<h2 id="heavy">'), page.indexOf("Ranking in heavy"));
    for (const text of ["every arm has one distribution for all rounds", "regime stochastic", "declared α = 1.5, σ = ", "truncated non-negativity"])
      expect(heavy.includes(text)).toBe(true);
    // A Pareto distribution of shape 1.6 has the mean 1.6 / 0.6 times its scale.
    expect(rowsIn(heavy)).toEqual([
      ["0", "pareto (shape 1.6, scale 0.2)", "0.533", "0"],
      ["1, 2", "pareto (shape 1.6, scale 0.4)", "1.07", "0.533"],
    ]);
  });

  it("does not list the distributions of very many arms", () => {
    const crowd = { environment: "truncation-violated", alpha: 1.5, arms: 2000, shape: 1.6, scale: 0.3, gap: 0.3 };
    const shown = renderReport(
      reportOf(
        experimentOf({
          environments: { crowd },
          sweep: [{ path: "environments.crowd.gap", values: [0.3, 0.4] }],
          seeds: [1, 2],
          policies: { uniform: { policy: "uniform" } },
        }),
      ),
    );
    expect(shown.includes("The distributions of more than 1,000 arms are not listed.")).toBe(true);
    expect(shown.includes("2000 arms")).toBe(true);
  });

  it("has the references, which say what CITATION.cff says", () => {
    const cff = readFileSync(new URL("../../../CITATION.cff", import.meta.url), "utf8");
    const shown = page.slice(page.indexOf("How to cite it"));
    for (const [, title] of cff.matchAll(/title: "(.*)"/g)) expect(shown.includes(title!)).toBe(true);
    for (const [, name] of cff.matchAll(/family-names: (.*)/g)) expect(shown.includes(`${name}, `)).toBe(true);
    for (const text of ["@inproceedings{", "@software{", "version = {1.2.3}", "experiment 01234567"]) expect(shown.includes(text)).toBe(true);
  });

  it("shows the share of uniform play and that of stuck runs next to each mean", () => {
    const ranking = page.slice(page.indexOf("Ranking in heavy"), page.indexOf("Regret in heavy"));
    const columns = [...ranking.matchAll(/<th scope="col">([^<]*)<\/th>/g)].map(([, name]) => name);
    expect(columns.slice(2, 5)).toEqual(["mean [95 %]", "share", "stuck"]);
    expect(/on average <span class="interval">\[[^\]]*\]<\/span>, 0 % of its runs stuck/.test(page)).toBe(true);
  });

  it("never says clear with five seeds, whose signs agree by chance once in sixteen times", () => {
    const few = renderReport(reportOf(experimentOf({ seeds: [1, 2, 3, 4, 5] })));
    expect(few.includes('class="verdict clear"')).toBe(false);
  });

  it("warns below ten seeds", () => {
    const seeds = Array.from({ length: 10 }, (_, index) => index + 1);
    expect(renderReport(reportOf(experimentOf({ seeds })))).not.toContain('class="few"');
    expect(renderReport(reportOf(experimentOf({ seeds: seeds.slice(1) })))).toContain("9 seeds are few");
    const oneFails: Story = (run, round, index) => (run.seed === 3 && run.policy === "uniform" ? new Error("no") : growing(run, round, index));
    expect(renderReport(reportOf(experimentOf({ seeds }), oneFails))).toContain("9 seeds are few");
  });

  it("holds the document that gives the same experiment again", () => {
    const { claim, sweep: _sweep, ...rest } = experimentOf();
    const evidence = [{ environment: "heavy", policy: "HTINF", beats: "uniform" }];
    for (const given of [rest, { ...rest, claim }, { ...rest, claim, evidence, sweep: [{ path: "horizon", values: [10, 100] }] }]) {
      const written = completeExperiment(given);
      const shown = renderReport(reportOf(written)).match(
        /<summary>The complete document<\/summary><div class="copied"><pre[^>]*><code>(.*?)<\/code>/s,
      )![1]!;
      const document = JSON.parse(
        shown
          .replace(/&quot;/g, '"')
          .replace(/&#39;/g, "'")
          .replace(/&amp;/g, "&"),
      );
      expect(completeExperiment(document)).toEqual(written);
    }
  });

  it("has unique ids and no link into nothing", () => {
    expect(new Set(ids(page)).size).toBe(ids(page).length);
    expect(targets(page).filter((target) => !ids(page).includes(target))).toEqual([]);
  });

  it("is the same every time, and so are the figures", () => {
    expect(renderReport(reportOf(experimentOf()))).toBe(page);
    const [first, second] = [0, 0].map(() => renderFigures(reportOf(experimentOf())));
    expect([...second!]).toEqual([...first!]);
  });

  it("asks nothing of the network", () => {
    const addresses = page.match(/https?:[^"'\s<]*|url\([^)]*\)|@import|\ssrc=|<link/g) ?? [];
    expect(addresses).toEqual([]);
    expect(page).toMatch(/Content-Security-Policy" content="default-src &#39;none&#39;/);
  });

  it("stays below 2 MB with five environments, ten policies and sixty checkpoints", () => {
    const { heavy } = experimentOf().environments;
    const environments = Object.fromEntries(["a", "b", "c", "d", "e"].map((label) => [label, heavy!]));
    const policies = Object.fromEntries(Array.from({ length: 10 }, (_, index) => [`policy-${index}`, { policy: "opttinf" }]));
    const large = renderReport(reportOf(experimentOf({ environments, policies, checkpoints: 60, seeds: [1, 2, 3] })));
    expect(large.length).toBeLessThan(2_000_000);
    expect(large.length).toBeGreaterThan(300_000);
  });
});

describe("whatever comes from outside", () => {
  const nasty = `</script><script>window.hostile=1</script><img src=x onerror="window.hostile=1">'"&amp;\u0000var(--paper)`;
  const policies = { [nasty]: { policy: "opttinf" }, 'x" onload="window.hostile=1': { policy: "uniform" }, __proto__x: { policy: "uniform" } };
  const story: Story = (run, round, index) => (run.seed === 2 ? new Error(nasty) : growing(run, round, index));
  const { heavy } = experimentOf().environments;
  const experiment = experimentOf({ claim: nasty, environments: { [`${nasty} 1`]: heavy!, [`${nasty} 2`]: heavy! }, policies });

  it("is escaped in the page", () => {
    const page = renderReport(reportOf(experiment, story));
    const ours = page.match(/<script>/g) ?? [];
    expect(ours).toHaveLength(1);
    expect(page.match(/<img|\sonload="|\sonerror="/)?.[0]).toBe(undefined);
    expect(page.includes("&lt;img src=x onerror=&quot;window.hostile=1&quot;&gt;")).toBe(true);
    expect(new Set(ids(page)).size).toBe(ids(page).length);
  });

  it("is escaped in the figures and harmless in their names", () => {
    const figures = renderFigures(reportOf(experiment, story));
    expect(figures.size).toBeGreaterThan(8);
    for (const [name, svg] of figures) {
      expect(name).toMatch(/^[a-z0-9][a-z0-9_-]*\.svg$/);
      expect(svg.match(/<script|<img|\son\w+="/)?.[0]).toBe(undefined);
    }
  });

  it("property: escaped text holds no markup and comes back as it was", () => {
    const back = (text: string) =>
      text
        .replace(/&lt;/g, "<")
        .replace(/&gt;/g, ">")
        .replace(/&quot;/g, '"')
        .replace(/&#39;/g, "'")
        .replace(/&amp;/g, "&");
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), (text) => {
        const escaped = escapeXml(text);
        expect(escaped).not.toMatch(/[<>"']|&(?!(?:amp|lt|gt|quot|#39);)/);
        const sayable = [...text].map((character) =>
          /[\t\n\r]|[^\p{Cc}\p{Cs}\ufffe\uffff]|[\u007f-\u009f]/u.test(character) ? character : "\ufffd",
        );
        expect(back(escaped)).toBe(sayable.join(""));
      }),
    );
    expect(escapeXml("a\ud800b\udc00\ud83d\ude00")).toBe("a\ufffdb\ufffd\ud83d\ude00");
  });

  it("html`` escapes what is not Html, joins lists and drops null", () => {
    expect(html`<p>${"<b>"}${html`<i>${1}</i>`}${[html`a`, "&"]}${null}</p>`.text).toBe("<p>&lt;b&gt;<i>1</i>a&amp;</p>");
  });
});

describe("figures as files", () => {
  const figures = renderFigures(reportOf(experimentOf()));

  it("stand alone: a namespace, explicit colours, a white ground, one band per line", () => {
    for (const svg of figures.values()) {
      expect(svg.startsWith('<svg xmlns="http://www.w3.org/2000/svg" ')).toBe(true);
      expect(svg).toContain('fill="#ffffff"/>');
      expect(svg.match(/var\(|currentColor|NaN|Infinity|undefined|null|<style|\bid="/i)?.[0]).toBe(undefined);
    }
    const regret = figures.get("heavy--regret-log.svg")!;
    expect(regret.match(/class="series s\d band /g)).toHaveLength(3);
    expect(regret).not.toContain("band interval");
  });

  it("there is one of each kind for each environment", () => {
    const kinds = ["regret-log", "regret-linear", "differences", "exponents", "decades", "best-arm", "skips", "arms"];
    expect([...figures.keys()].sort()).toEqual(["heavy", "left-tail"].flatMap((label) => kinds.map((kind) => `${label}--${kind}.svg`)).sort());
  });

  it("tell a bound that is far above the data in words, and draw one that is near", () => {
    const far = renderReport(reportOf(experimentOf()));
    expect(far.includes("These proved bounds at the horizon are not drawn")).toBe(true);
    const near = renderFigures(reportOf(experimentOf(), ({ seed }, round) => ({ regret: 30 * round ** (2 / 3) + seed })));
    expect(near.get("heavy--regret-log.svg")).toContain("bound of HTINF");
    expect(figures.get("heavy--regret-log.svg")).not.toContain("bound of HTINF");
  });
});

describe("negative regret", () => {
  const negative: Story = ({ policy, seed }, round) => ({ regret: policy === "HTINF" ? -round - seed : 3 * round + seed });
  const report = reportOf(experimentOf(), negative);
  const page = renderReport(report);

  it("is drawn below zero, and the caption says on which axis and why", () => {
    const figure = renderFigures(report).get("heavy--regret-log.svg")!;
    expect(figure).toMatch(/>−1000?0?k?</);
    const own = figure.match(/<g[^>]*class="series s0"[^>]*>.*?<path d="([^"]*)"/)![1]!;
    expect(own.split("L").length).toBeGreaterThan(8);
    expect(/The vertical axis is linear from −[\d,.k]+ to [\d,.k]+ and logarithmic beyond, because some values are below zero/.test(page)).toBe(true);
    expect(renderReport(reportOf(experimentOf()))).not.toContain("because some values are below zero");
  });

  it("of one size gets a linear axis by itself", () => {
    const level: Story = ({ seed }) => ({ regret: -5 - seed / 10 });
    expect(renderReport(reportOf(experimentOf(), level))).toContain("The vertical axis is linear, because some values are below zero");
  });

  it("in a sweep is drawn and explained too", () => {
    const sweep = [{ path: "environments.heavy.alpha", values: [1.2, 1.5] }];
    const swept = renderReport(reportOf(experimentOf({ sweep }), negative));
    expect(swept.includes("for each value; bars are 95 % intervals. The vertical axis is linear, because some values are below zero")).toBe(true);
    expect(swept.includes("HTINF has none, because its regret is not positive everywhere")).toBe(true);
  });

  it("leaves no ratio and no power without a reason", () => {
    expect(page.includes('– <span class="why">the least is not positive</span>')).toBe(true);
    expect(/HTINF<\/span><\/span><\/th><td colspan="5"><span class="dash">– <span class="why">regret is not positive<\/span>/.test(page)).toBe(true);
    expect(page.includes("No dot for HTINF: regret is not positive.")).toBe(true);
    expect(page.match(/<td[^>]*>–<\/td>/)?.[0]).toBe(undefined);
  });
});

describe("what the cursor reads", () => {
  const blocks = (page: string) => [...page.matchAll(/<script type="application\/json">(.*?)<\/script>/g)].map(([, text]) => JSON.parse(text!));
  const page = renderReport(reportOf(experimentOf()));

  it("is in every figure of the page", () => {
    const figures = page.match(/<figure /g)!.length;
    expect(page.match(/ data-panels="/g)).toHaveLength(figures);
    // The linear curves have the values of the logarithmic ones.
    expect(blocks(page)).toHaveLength(figures - 2);
    for (const { series } of blocks(page)) expect(series.length).toBeGreaterThan(0);
  });

  it("holds the curves of at most 20 seeds, and of those only the regret figures", () => {
    const seeds = Array.from({ length: 25 }, (_, index) => index + 1);
    const behind = blocks(renderReport(reportOf(experimentOf({ seeds })))).flatMap(({ series }) =>
      series.map(({ b }: { b?: unknown[] }) => b?.length ?? 0),
    );
    expect(behind.filter((count) => count > 0)).toEqual([20, 20, 20, 20, 20, 20]);
  });

  it("property: numbers in words are those of the tables", () => {
    const { short, percent, power } = new Function(`${WORDS}; return { short, percent, power };`)() as Record<string, (value: number) => string>;
    const number = fc.oneof(
      fc.double({ noNaN: true, noDefaultInfinity: true }),
      fc.double({ min: -2e6, max: 2e6, noNaN: true }),
      fc.double({ min: 0, max: 1, noNaN: true }),
    );
    fc.assert(
      fc.property(number, (value) => {
        expect(short!(value)).toBe(formatShort(value));
        if (value >= 0 && value <= 1) expect(percent!(value)).toBe(formatPercent(value));
        if (Math.abs(value) < 1e6) expect(power!(value)).toBe(fixed(value));
      }),
    );
    expect([9999, 9999.6, 12_345, 651_900, 999_600, 7_123_456, 9.996e8].map(formatShort)).toEqual([
      "9,999",
      "10.0k",
      "12.3k",
      "652k",
      "1.00M",
      "7.12M",
      "1 × 10⁹",
    ]);
  });
});

describe("odd data", () => {
  const sound = (report: ReturnType<typeof reportOf>) => {
    const page = renderReport(report);
    for (const text of [page, ...renderFigures(report).values()]) expect(text.match(/NaN|Infinity|undefined|>null</)?.[0]).toBe(undefined);
    return page;
  };

  it.each<[string, Story]>([
    ["no regret at all", () => ({ regret: 0 })],
    ["negative regret", ({ seed }, round) => ({ regret: -round - seed })],
    ["regret that changes sign", ({ seed }, round) => ({ regret: Math.sin(round) * seed })],
    ["regret at the end of the doubles", () => ({ regret: Number.MAX_VALUE })],
    ["regret of very different size", ({ policy }, round) => ({ regret: round * 10 ** (20 * policy.length - 100) })],
    ["the smallest doubles", () => ({ regret: Number.MIN_VALUE })],
    ["one policy that never completes", (run, round, index) => (run.policy === "HTINF" ? new Error("no") : growing(run, round, index))],
    ["no run that completes", () => new Error("no")],
  ])("%s makes a sound report", (_name, story) => {
    sound(reportOf(experimentOf({ seeds: [1, 2, 3] }), story));
  });

  it.each([
    ["one seed", { seeds: [7] }],
    ["one policy", { policies: { only: { policy: "opttinf" } } }],
    ["one round", { horizon: 1 }],
    ["three rounds", { horizon: 3 }],
    ["no claim", { claim: null }],
    ["a policy that cannot be made", { policies: { wrong: { policy: "nobody" }, right: { policy: "uniform" } } }],
  ])("%s makes a sound report", (_name, changes) => {
    sound(reportOf(experimentOf({ seeds: [1, 2, 3], ...changes })));
  });

  it("runs that were not asked for are left out", () => {
    sound(reportOf(experimentOf(), growing, ({ policy }) => policy !== "uniform"));
  });

  it("failed runs are listed with their errors", () => {
    const page = sound(
      reportOf(experimentOf(), (run, round, index) => (run.seed === 3 ? new Error("loss 7 went wrong") : growing(run, round, index))),
    );
    expect(page.includes("6 runs of 48 failed")).toBe(true);
    expect(page.includes("heavy/HTINF/3")).toBe(true);
    expect(page.includes("loss 7 went wrong")).toBe(true);
    expect(page.includes('7 <span class="bad">(1 failed)</span>')).toBe(true);
  });

  it("twenty-five policies are told apart by colour, mark and dash together", () => {
    const policies = Object.fromEntries(Array.from({ length: 25 }, (_, index) => [`policy ${index}`, { policy: "uniform" }]));
    sound(reportOf(experimentOf({ policies, seeds: [1, 2] })));
    const looks = Array.from({ length: 25 }, (_, index) => JSON.stringify([seriesStyle(index).colour, seriesStyle(index).dash]));
    expect(new Set(looks).size).toBe(25);
    const [colours, symbols] = (["colour", "symbol"] as const).map(
      (key) => new Set(Array.from({ length: 7 }, (_, index) => seriesStyle(index)[key])),
    );
    expect([colours!.size, symbols!.size]).toEqual([7, 7]);
  });
});

describe("sweeps", () => {
  const sweep = [
    { path: "horizon", values: [100, 1000, 10_000] },
    { path: "environments.heavy.alpha", values: [1.2, 1.5] },
    { path: "policies.OptTINF.policy", values: ["opttinf", "ada2tinf"] },
  ];
  const report = reportOf(experimentOf({ sweep }));

  it("have a figure and the power of growth for each environment and axis", () => {
    const page = renderReport(report);
    const names = [...renderFigures(report).keys()];
    for (const name of [
      "sweep--heavy-horizon",
      "sweep--heavy-alpha",
      "sweep--heavy-policies_opttinf_policy",
      "sweep--left-tail-horizon",
      "heavy-horizon-1000--regret-log",
    ])
      expect(names.some((file) => file.startsWith(name))).toBe(true);
    const ticks = [
      ...renderFigures(report)
        .get("sweep--heavy-horizon.svg")!
        .matchAll(/y="0\.71em"[^>]*>(\d+)</g),
    ].map(([, tick]) => tick);
    expect(ticks).toEqual(["100", "1000", "10000"]);
    expect(page.includes("heavy along alpha")).toBe(true);
    expect(page).toMatch(/grows with a power of horizon: <b>HTINF<\/b> with 0\.40 <span class="interval">\[0\.40, 0\.40\]/);
    expect(new Set(ids(page)).size).toBe(ids(page).length);
    expect(targets(page).filter((target) => !ids(page).includes(target))).toEqual([]);
    expect(page.match(/NaN|Infinity|undefined/)?.[0]).toBe(undefined);
  });

  it("of more than a hundred values have no chapter for each, and say so", () => {
    const { environments, policies } = experimentOf();
    const alone = { environments: { heavy: environments.heavy! }, policies: { HTINF: policies.HTINF! } };
    const along = (count: number) =>
      reportOf(
        experimentOf({ ...alone, sweep: [{ path: "environments.heavy.alpha", values: Array.from({ length: count }, (_, i) => 1.1 + i / 200) }] }),
      );
    expect(along(100).sweeps[0]!.chapters).toHaveLength(100);
    const many = along(101);
    expect(many.sweeps[0]!.chapters).toEqual([]);
    expect(renderReport(many)).toContain("With more than 100 values (here 101), none has a chapter of its own");
    expect([...renderFigures(many).keys()]).toEqual(["sweep--heavy-alpha.svg"]);
  });
});

describe("anatomy", () => {
  const story: Story = (run, round, index) => {
    const { regret } = growing(run, round, index) as { regret: number };
    const terms = { expectedRegret: regret, skippingGap: regret / 3, ftrlErrorMean: (2 * regret) / 3, ftrlError: -regret, A: regret, B: regret / 2 };
    const bounds = { "bound.skippingGap": regret * 2, "bound.A": regret * 3, "bound.B": regret * 4, lambda: 2 };
    return { regret, ...(run.policy !== "uniform" && { anatomy: { ...terms, ...bounds } }) };
  };
  const report = reportOf(experimentOf(), story);

  it("has a figure for each policy that has one, with its bounds as dashes, and a table", () => {
    const figures = renderFigures(report);
    expect(figures.get("heavy--anatomy--htinf.svg")!.match(/stroke-dasharray="4 3"/g)).toHaveLength(3);
    expect(figures.has("heavy--anatomy--uniform.svg")).toBe(false);
    expect(figures.has("heavy--lambda.svg")).toBe(true);
    expect(renderReport(report).includes("Anatomy of HTINF&#39;s regret in heavy")).toBe(true);
    expect(renderReport(reportOf(experimentOf())).includes('id="Anatomy"')).toBe(false);
  });
});

describe("the palette", () => {
  // Reference: contrast as WCAG 2 has it, CIELAB, and the matrices of Machado, Oliveira and Fernandes (2009) for full dichromacy.
  it.each([
    ["light", LIGHT_COLOURS, LIGHT_VARIABLES.paper!],
    ["dark", DARK_COLOURS, DARK_VARIABLES.paper!],
  ])("%s: every colour stands out from the ground, and from every other for every kind of sight", (_name, colours, paper) => {
    for (const colour of colours) expect(contrast(colour, paper)).toBeGreaterThanOrEqual(3);
    for (const sight of SIGHTS) {
      for (const [index, colour] of colours.entries())
        for (const other of colours.slice(index + 1)) expect(difference(colour, other, sight)).toBeGreaterThanOrEqual(17);
    }
  });

  it.each([
    ["light", LIGHT_VARIABLES],
    ["dark", DARK_VARIABLES],
  ])("%s: text has a contrast of 4.5 or more", (_name, variables) => {
    expect(contrast(variables.ink!, variables.paper!)).toBeGreaterThan(7);
    expect(contrast(variables.muted!, variables.paper!)).toBeGreaterThan(4.5);
  });
});

describe("numbers and axes", () => {
  it("property: ticks are inside, ascending, few, and there are some", () => {
    const number = fc.double({ min: 1e-12, max: 1e12, noNaN: true });
    const check = (ticks: readonly number[], low: number, high: number, most: number) => {
      expect(ticks.length).toBeLessThanOrEqual(most);
      for (const [index, tick] of ticks.entries()) {
        expect(tick).toBeGreaterThanOrEqual(low - 1e-6 * Math.abs(high - low));
        expect(tick).toBeLessThanOrEqual(high + 1e-6 * Math.abs(high - low));
        if (index > 0) expect(tick).toBeGreaterThan(ticks[index - 1]!);
      }
    };
    fc.assert(
      fc.property(number, number, (a, b) => {
        fc.pre(Math.abs(a - b) > 1e-3 * Math.max(a, b));
        const [low, high] = [Math.min(a, b), Math.max(a, b)];
        check(logAxis("", low, high).ticks, low, high, 8);
        const linear = linearAxis("", low, high).ticks;
        check(linear, low, high, 8);
        expect(linear.length).toBeGreaterThanOrEqual(2);
        const sides = symlogAxis("", -low, high, Math.max(low, high / 1e5)).ticks;
        check(sides, -low, high, 12);
        expect(sides).toContain(0);
      }),
    );
  });

  it("property: labels that are spread keep their order and their distance, inside if there is room", () => {
    fc.assert(
      fc.property(fc.array(fc.double({ min: 0, max: 200, noNaN: true }), { minLength: 1, maxLength: 15 }), (places) => {
        const moved = spread(places, 13, 0, 200);
        const order = places.map((_, index) => index).sort((a, b) => places[a]! - places[b]! || a - b);
        for (const [rank, index] of order.entries()) {
          expect(moved[index]).toBeGreaterThanOrEqual(-1e-9);
          expect(moved[index]).toBeLessThanOrEqual(200 + 1e-9);
          if (rank > 0) expect(moved[index]! - moved[order[rank - 1]!]!).toBeGreaterThanOrEqual(13 - 1e-9);
        }
      }),
    );
    expect(spread([10, 100], 13, 0, 200)).toEqual([10, 100]);
  });
});
