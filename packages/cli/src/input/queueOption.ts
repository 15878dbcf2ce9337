import { Option } from "@commander-js/extra-typings";

/** Credentials need not be on the command line: the URL may come from the environment. */
export function queueOption(description = "the queue: redis://, rediss:// or postgres://") {
  return new Option("--queue <url>", description).env("TSALLIS_QUEUE");
}
