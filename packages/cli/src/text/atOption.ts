import { at } from "./failure.js";

/** What the service calls its parameters, where the command's option has another name. */
const OPTIONS: Readonly<Record<string, string>> = { store: "db" };

/** Adds the option that an error of the service is about. Any other error is returned unchanged. */
export function atOption(error: unknown): unknown {
  const { parameter } = error as { parameter?: unknown };
  return typeof parameter === "string" ? at(`--${OPTIONS[parameter] ?? parameter}`, error) : error;
}
