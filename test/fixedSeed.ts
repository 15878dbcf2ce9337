import fc from "fast-check";
import { beforeEach } from "vitest";

// The same cases in every run: a failure can be looked at again, and a count of cases that were reached is a constant. TSALLIS_SEED plays other cases.
const given = process.env.TSALLIS_SEED;
const seed = given === undefined ? 20220717 : Number(given);
if (!(given !== "" && Number.isSafeInteger(seed))) throw new Error(`TSALLIS_SEED must be an integer, got ${JSON.stringify(given)}`);
fc.configureGlobal({ seed });

if (given !== undefined) {
  beforeEach(({ onTestFailed }) => onTestFailed(({ task }) => console.error(`TSALLIS_SEED=${given} npm test -- ${task.file.name} plays this again`)));
}
