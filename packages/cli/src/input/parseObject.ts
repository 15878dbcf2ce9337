import { Failure, shortened } from "../text/failure.js";

/** The object that a JSON text holds. `wanted` tells the user what it should look like. */
export function parseObject(text: string, wanted: string): Record<string, unknown> {
  let value: unknown;
  let plain: string;
  try {
    value = JSON.parse(text);
    // Throws if the nesting is deeper than anything read here.
    plain = JSON.stringify(value);
  } catch {
    throw new Failure("ERR_JSON", `not JSON: ${shortened(text)}; ${wanted}`);
  }
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    throw new Failure("ERR_JSON", `not an object: ${shortened(text)}; ${wanted}`);
  }
  // JSON.parse silently keeps the last of two equal keys; the quotation marks of the other are then missing.
  if (quotationMarks(text) !== quotationMarks(plain)) throw new Failure("ERR_JSON", `a key appears twice; ${wanted}`);
  return value as Record<string, unknown>;
}

/** How many quotation marks begin or end a string. */
function quotationMarks(json: string): number {
  return json.replace(/\\./g, "").split('"').length - 1;
}
