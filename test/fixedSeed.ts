import fc from "fast-check";
import { beforeEach } from "vitest";

// Every run has the same cases, so that a failure can be repeated and the number of cases reached is a constant. TSALLIS_SEED chooses other cases.
const given = process.env.TSALLIS_SEED;
const seed = given === undefined ? 20220717 : Number(given);
if (!(given !== "" && Number.isSafeInteger(seed))) throw new Error(`TSALLIS_SEED must be an integer, got ${JSON.stringify(given)}`);
fc.configureGlobal({ seed });

if (given !== undefined) {
  beforeEach(({ onTestFailed }) => onTestFailed(({ task }) => console.error(`TSALLIS_SEED=${given} npm test -- ${task.file.name} plays this again`)));
}
