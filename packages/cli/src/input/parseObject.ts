import { Failure, shortened } from "../text/failure.js";

/** The object that a JSON text holds. `wanted` says in messages how it should look. */
export function parseObject(text: string, wanted: string): Record<string, unknown> {
  let value: unknown;
  let plain: string;
  try {
    value = JSON.parse(text);
    // Throws at a nesting that is deeper than anything read here.
    plain = JSON.stringify(value);
  } catch {
    throw new Failure("ERR_JSON", `not JSON: ${shortened(text)}; ${wanted}`);
  }
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    throw new Failure("ERR_JSON", `not an object: ${shortened(text)}; ${wanted}`);
  }
  // JSON.parse keeps the last of two equal keys in silence; the other is then missing among the quotation marks.
  if (quotationMarks(text) !== quotationMarks(plain)) throw new Failure("ERR_JSON", `a key stands twice; ${wanted}`);
  return value as Record<string, unknown>;
}

/** How many quotation marks begin or end a string. */
function quotationMarks(json: string): number {
  return json.replace(/\\./g, "").split('"').length - 1;
}
