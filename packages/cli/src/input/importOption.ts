import { Option } from "@commander-js/extra-typings";

/** The user's own modules, in the order given. */
export function importOption() {
  return new Option("--import <file>", "a module of your own that exports policies or environments; may be repeated")
    .argParser((file: string, files: string[]) => [...files, file])
    .default([], "none");
}
