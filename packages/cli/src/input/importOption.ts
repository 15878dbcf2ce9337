import { Option } from "@commander-js/extra-typings";

/** Modules of the user's own, in the order in which they are given. */
export function importOption() {
  return new Option("--import <file>", "a module of your own that exports policies or environments; may be repeated")
    .argParser((file: string, files: string[]) => [...files, file])
    .default([], "none");
}
