// Started by `npm run bench`, whose arguments after -- are the command line.
import { runCommandLine } from "@tsallis/cli/dist/input/runCommandLine.js";
import { addAdvice } from "./commands/advice.js";
import { addEvidence } from "./commands/evidence.js";
import { addFleet } from "./commands/fleet.js";
import { addFuzz } from "./commands/fuzz.js";
import { addLab } from "./commands/lab.js";
import { addPlayground } from "./commands/playground.js";
import { addPolicies } from "./commands/policies.js";
import { addRouter } from "./commands/router.js";
import { addService } from "./commands/service.js";
import { addStatistics } from "./commands/statistics.js";

process.exitCode = await runCommandLine("npm run bench --", process.argv.slice(2), (program, signal) => {
  for (const add of [addPolicies, addLab, addFleet, addRouter, addService, addPlayground, addFuzz, addAdvice, addStatistics, addEvidence])
    add(program, signal);
});
