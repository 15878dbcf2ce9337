/** One family of figures: its name, type and help, and a value for each set of labels, such as `status="failed"`. */
export type Family = readonly [name: string, type: "counter" | "gauge", help: string, values: number | Readonly<Record<string, number>>];

/** Figures in Prometheus's text format, version 0.0.4. */
export function prometheusText(families: readonly Family[]): string {
  return families
    .map(([name, type, help, values]) => {
      const lines =
        typeof values === "number" ? [`${name} ${values}`] : Object.entries(values).map(([labels, value]) => `${name}{${labels}} ${value}`);
      return `# HELP ${name} ${help}\n# TYPE ${name} ${type}\n${lines.join("\n")}\n`;
    })
    .join("");
}
