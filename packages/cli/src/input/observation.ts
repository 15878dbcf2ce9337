import { LARGEST_LOSS } from "tsallis";
import { Failure, shortened } from "../text/failure.js";
import { LONGEST_LINE } from "./lines.js";
import { parseObject } from "./parseObject.js";

/** One line of a log: which arm was played, and the loss that followed. The values are unchecked: the policy refuses invalid arms and losses. */
export interface Observation {
  arm: number;
  loss: number;
}

/** Reads a log line such as `{"arm":2,"loss":0.37}`; with `reward` it is `{"arm":2,"reward":1.5}`, which becomes the loss -1.5. */
export function readObservation(line: string, reward: boolean): Observation {
  const feedback = reward ? "reward" : "loss";
  if (line.length > LONGEST_LINE) throw new Failure("ERR_JSON", `longer than ${LONGEST_LINE} characters; ${wanted(feedback)}`);
  const record = parseObject(line, wanted(feedback));
  for (const key in record) {
    if (key !== "arm" && key !== feedback) throw unknownKey(key, feedback);
  }
  for (const key of ["arm", feedback]) {
    if (!Object.hasOwn(record, key)) throw new Failure("ERR_MISSING", `${key} is missing; ${wanted(feedback)}`);
  }
  const value = record[feedback];
  if (reward && !(typeof value === "number" && Math.abs(value) <= LARGEST_LOSS)) {
    throw new Failure("ERR_LOSS", `reward must be a number of size at most 1e300, got ${typeof value === "number" ? value : JSON.stringify(value)}`);
  }
  return { arm: record.arm as number, loss: reward ? 0 - (value as number) : (value as number) };
}

function unknownKey(key: string, feedback: string): Failure {
  if (key === "loss") return new Failure("ERR_UNKNOWN_KEY", 'unknown key "loss"; with --reward each line holds a reward, so leave --reward out');
  if (key === "reward") return new Failure("ERR_UNKNOWN_KEY", 'unknown key "reward"; give --reward to read rewards, or give losses as "loss"');
  return new Failure("ERR_UNKNOWN_KEY", `unknown key ${shortened(key)}; keep only the keys that are read: jq -c '{arm, ${feedback}}'`);
}

function wanted(feedback: string): string {
  return `each line must be an object such as {"arm":2,"${feedback}":0.37}`;
}
