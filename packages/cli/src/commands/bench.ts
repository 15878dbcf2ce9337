import type { Command } from "@commander-js/extra-typings";
import { Failure } from "../text/failure.js";

const MOVED = "the benchmarks are not part of the command; run them with npm run bench in a clone of the repository";

/** A hidden command that only says where the benchmarks are, whatever arguments follow. */
export function addBench(program: Command): void {
  program
    .command("bench", { hidden: true })
    .description(`Not here: ${MOVED}.`)
    .argument("[anything...]")
    .allowUnknownOption()
    .helpOption(false)
    .action(() => {
      throw new Failure("ERR_USAGE", MOVED);
    });
}
