/** A family of metrics in Prometheus' text format. */
export interface Family {
  readonly type: string;
  readonly help: string;
  /** By name and labels, as they are written. */
  readonly samples: Map<string, { readonly name: string; readonly labels: Readonly<Record<string, string>>; readonly value: number }>;
}

const NAME = "[a-zA-Z_:][a-zA-Z0-9_:]*";
const SAMPLE = new RegExp(`^(${NAME})(?:\\{(.*)\\})? (\\S+)$`);
const LABEL = /^([a-zA-Z_][a-zA-Z0-9_]*)="((?:[^"\\\n]|\\[\\"n])*)"(?:,|$)/;
const TYPES = ["counter", "gauge", "histogram"];

/** Reads the text format, version 0.0.4, and throws at whatever it does not allow. */
export function parsePrometheus(text: string): Map<string, Family> {
  if (!text.endsWith("\n")) throw new Error("the last line must end");
  const families = new Map<string, Family>();
  let open: { name: string; family: Family } | undefined;
  let help: [name: string, text: string] | undefined;
  for (const line of text.slice(0, -1).split("\n")) {
    const fail = (why: string) => new Error(`${why}: ${line}`);
    const told = /^# (HELP|TYPE) (\S+) (.+)$/.exec(line);
    if (told?.[1] === "HELP") {
      help = [told[2]!, told[3]!];
      continue;
    }
    if (told?.[1] === "TYPE") {
      const [, , name, type] = told as unknown as [string, string, string, string];
      if (help?.[0] !== name) throw fail("its HELP must come before it");
      if (families.has(name)) throw fail("a family must be in one piece");
      if (!(TYPES.includes(type) && new RegExp(`^${NAME}$`).test(name))) throw fail("no such type or name");
      if (type === "counter" && !name.endsWith("_total")) throw fail("a counter ends in _total");
      open = { name, family: { type, help: help[1], samples: new Map() } };
      families.set(name, open.family);
      continue;
    }
    const found = SAMPLE.exec(line);
    if (found === null || open === undefined) throw fail("neither a comment nor a sample of a family");
    const [, name, written, number] = found as unknown as [string, string, string | undefined, string];
    const suffixes = open.family.type === "histogram" ? ["_bucket", "_sum", "_count"] : [""];
    if (!suffixes.some((suffix) => name === open!.name + suffix)) throw fail(`not of the family ${open.name}`);
    const value = number === "+Inf" ? Number.POSITIVE_INFINITY : Number(number);
    if (Number.isNaN(value) || (open.family.type !== "gauge" && value < 0)) throw fail("not a value");
    const key = `${name}{${written ?? ""}}`;
    if (open.family.samples.has(key)) throw fail("a sample must come once");
    open.family.samples.set(key, { name, labels: labelsOf(written ?? "", fail), value });
  }
  for (const [name, family] of families) if (family.type === "histogram") requireHistogram(name, family);
  return families;
}

function labelsOf(written: string, fail: (why: string) => Error): Record<string, string> {
  const labels: Record<string, string> = {};
  for (let rest = written; rest !== ""; ) {
    const found = LABEL.exec(rest);
    if (found === null) throw fail("not a label");
    if (found[1]! in labels) throw fail("a label must come once");
    labels[found[1]!] = found[2]!.replaceAll(/\\(.)/g, (_, escaped: string) => (escaped === "n" ? "\n" : escaped));
    rest = rest.slice(found[0].length);
  }
  return labels;
}

/** Buckets grow, the last one is +Inf and equals the count, and there is a sum. */
function requireHistogram(name: string, { samples }: Family): void {
  const series = new Map<string, { buckets: [le: number, count: number][]; sum?: number; count?: number }>();
  for (const {
    name: full,
    labels: { le, ...labels },
    value,
  } of samples.values()) {
    const key = JSON.stringify(labels);
    const one = series.get(key) ?? { buckets: [] };
    series.set(key, one);
    if (full === `${name}_bucket`) one.buckets.push([le === "+Inf" ? Number.POSITIVE_INFINITY : Number(le), value]);
    else if (full === `${name}_sum`) one.sum = value;
    else one.count = value;
  }
  for (const [labels, { buckets, sum, count }] of series) {
    const grows = buckets.every(([le, below], i) => i === 0 || (le > buckets[i - 1]![0] && below >= buckets[i - 1]![1]));
    const whole = buckets.at(-1)?.[0] === Number.POSITIVE_INFINITY && buckets.at(-1)![1] === count && sum !== undefined;
    if (!(grows && whole)) throw new Error(`the histogram ${name} ${labels} is not one`);
  }
}
