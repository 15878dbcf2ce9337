import { builtIn } from "@tsallis/lab";
import { unknownName } from "../input/givenExperiment.js";
import { print } from "../text/output.js";

/** Prints a built-in document. */
export async function show(name: string): Promise<void> {
  const text = builtIn(name);
  if (text === undefined) throw unknownName(name);
  await print(text);
}
