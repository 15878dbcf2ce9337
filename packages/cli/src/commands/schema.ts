import { experimentSchema } from "@tsallis/lab";
import { print } from "../text/output.js";

/** Prints the JSON Schema of experiments. */
export async function schema(): Promise<void> {
  await print(`${JSON.stringify(experimentSchema(), null, 2)}\n`);
}
