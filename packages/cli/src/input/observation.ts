import { LARGEST_LOSS } from "tsallis";
import { Failure, shortened } from "../text/failure.js";
import { parseObject } from "./parseObject.js";

/** One line of a log: which arm was played, and the loss that followed. The values are unchecked: the policy refuses invalid arms and losses. */
export interface Observation {
  arm: number;
  loss: number;
}

/** What an observation says of the arm that was played: its loss, or its reward, which is minus the loss. */
export type Feedback = "loss" | "reward";

/** Reads a log line such as `{"arm":2,"loss":0.37}`; with rewards it is `{"arm":2,"reward":1.5}`, which becomes the loss -1.5. */
export function readObservation(line: string, feedback: Feedback): Observation {
  const record = parseObject(line, wanted(feedback));
  for (const key in record) {
    if (key !== "arm" && key !== feedback) throw unknownKey(key, feedback);
  }
  for (const key of ["arm", feedback]) {
    if (!Object.hasOwn(record, key)) throw new Failure("ERR_MISSING", `${key} is missing; ${wanted(feedback)}`);
  }
  return observation(record.arm, record[feedback], feedback);
}

/** The observation with this arm and this loss, or reward. */
export function observation(arm: unknown, value: unknown, feedback: Feedback): Observation {
  if (feedback === "loss") return { arm: arm as number, loss: value as number };
  if (!(typeof value === "number" && Math.abs(value) <= LARGEST_LOSS)) {
    throw new Failure("ERR_LOSS", `reward must be a number of size at most 1e300, got ${typeof value === "number" ? value : JSON.stringify(value)}`);
  }
  return { arm: arm as number, loss: 0 - value };
}

/** The error for a key that is not read. */
export function unknownKey(key: string, feedback: Feedback): Failure {
  if (key === "loss") return new Failure("ERR_UNKNOWN_KEY", 'unknown key "loss"; with --reward each line holds a reward, so leave --reward out');
  if (key === "reward") return new Failure("ERR_UNKNOWN_KEY", 'unknown key "reward"; give --reward to read rewards, or give losses as "loss"');
  return new Failure("ERR_UNKNOWN_KEY", `unknown key ${shortened(key)}; keep only the keys that are read: jq -c '{arm, ${feedback}}'`);
}

/** What a line must look like. */
export function wanted(feedback: Feedback): string {
  return `each line must be an object such as {"arm":2,"${feedback}":0.37}`;
}
