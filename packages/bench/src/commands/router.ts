import { type Command, Option } from "@commander-js/extra-typings";
import { numberOrText } from "@tsallis/cli/dist/input/options.js";

const HELP = `
Every rule meets the same requests and the same latencies. The simulation takes about four minutes, and so does --servers; --sockets takes eleven. Close other programs for those two.

Examples:
  $ npm run bench -- router
  $ npm run bench -- router --servers
  $ npm run bench -- router --servers --only costs
  $ npm run bench -- router --sockets
  $ npm run bench -- router --sockets --only hangs,limit --seeds 3
  $ npm run bench -- router --repeats
  $ npm run bench -- router --seeds 4
  $ npm run bench -- router --only equal-60,equal-85 --seeds 5
  $ npm run bench -- router --only load
  $ npm run -s bench -- router --json > router.json
`;

export function addRouter(program: Command, signal: AbortSignal): void {
  program
    .command("router")
    .summary("compare the router with the rules that people use")
    .description(
      "Compare the router with round robin, LiteLLM's last-10 mean, viem's rank, EWMA with probes, peak-EWMA with two choices, Traefik's least time, Prequal and UCB1, and where load matters with two choices, peak-EWMA, least time and Prequal, in simulated time: 35 scenarios, 20,000 requests each.",
    )
    .option("--seeds <number>", "play with the seeds 1 to this number; 60 for (a) to (h) and 20 for the others if left out")
    .option(
      "--only <names>",
      "play only these scenarios: names, or the kinds load, overload, failures and slow, with commas between them; with --servers its parts: scenarios, replicas and costs",
    )
    .addOption(
      new Option("--servers", "compare the router's dispatcher with undici's BalancedPool on real local servers instead").conflicts([
        "seeds",
        "sockets",
      ]),
    )
    .option("--sockets", "play 21 scenarios of about 990 requests on real sockets instead; --seeds is the number of runs, 5 if left out")
    .addOption(
      new Option("--repeats", "play the router with hedges and with retries, in simulated time, instead").conflicts(["only", "servers", "sockets"]),
    )
    .option(
      "--json",
      "print JSON instead of tables: {worlds, load}, with --servers {servers, replicas, overhead}, with --sockets {sockets}, with --repeats {hedged, retried}",
    )
    .addHelpText("after", HELP)
    .action(async ({ seeds, only, servers, sockets, repeats }, command) => {
      // Commander gives --json to the parent command, which has the option too.
      const { json = false } = command.optsWithGlobals();
      if (servers) return (await import("../router/servers/benchServers.js")).benchServers({ only: only?.split(","), json }, signal);
      const choice = { seeds: seeds === undefined ? undefined : numberOrText(seeds), only: only?.split(","), json };
      if (repeats) return (await import("../router/repeats/benchRepeats.js")).benchRepeats(choice as never, signal);
      if (sockets) return (await import("../router/sockets/benchSockets.js")).benchSockets(choice, signal);
      const { benchRouter } = await import("../router/benchRouter.js");
      await benchRouter(choice, signal);
    });
}
