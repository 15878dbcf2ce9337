import type { PolicySpec } from "tsallis";
import { at } from "../text/failure.js";
import { parseObject } from "./parseObject.js";

/** What --policy gives: the name of a policy or the label that a document has for it, or its spec as JSON. */
export function readPolicy(text: string): string | PolicySpec {
  if (/^[a-z0-9]/i.test(text) && /[a-z]/i.test(text)) return text;
  try {
    return parseObject(
      text,
      `write it like --policy '{"policy":"htinf","alpha":1.5,"sigma":2.5}', or give a name such as --policy ada2tinf`,
    ) as PolicySpec;
  } catch (error) {
    throw at("--policy", error);
  }
}
