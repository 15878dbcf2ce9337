import { once } from "node:events";
import type { AddressInfo } from "node:net";
import type { Command } from "@commander-js/extra-typings";
import { Failure } from "../text/failure.js";
import { print } from "../text/output.js";
import { helpText } from "../text/prose.js";

const HELP = `
Eleven scenes, from a race of five policies to a sandbox. Nothing leaves this machine, and tsallis run reproduces each run exactly.

Examples:
  $ tsallis playground
  $ tsallis playground --port 0
`;

/** Built by packages/web. */
const FOLDER = new URL("../../playground/", import.meta.url);
const PORT = 7412;

export function addPlayground(program: Command, signal: AbortSignal): void {
  program
    .command("playground")
    .summary("watch policies play, in a browser")
    .description("Serve the playground on this machine: watch policies play and change their worlds.")
    .option("--port <number>", `port; 0 picks a free one (default: ${PORT})`)
    .addHelpText("after", helpText(HELP))
    .action((options) => playground(options.port, signal));
}

/** Serves until Ctrl-C or SIGTERM. */
async function playground(given: string | undefined, signal: AbortSignal): Promise<void> {
  const { readInteger } = await import("../input/options.js");
  const { staticServer } = await import("../serving/staticServer.js");
  const { firstSignal } = await import("../input/signals.js");
  const port = readInteger("port", given, PORT, 0, 65_535);
  const server = staticServer(FOLDER);
  if (server === null) throw new Failure("ERR_FILE", "the playground is not built; run: npm run build", "playground");
  const stopped = firstSignal(signal);
  server.listen(port, "127.0.0.1");
  try {
    await once(server, "listening");
  } catch (error) {
    const { code } = error as { code?: string };
    const remedy = code === "EADDRINUSE" ? "another program uses it; choose another, or 0 for a free one" : (error as Error).message;
    throw new Failure("ERR_PARAMETER", `port ${port} is not available: ${remedy}`, "--port");
  }
  await print(`playground  http://127.0.0.1:${(server.address() as AddressInfo).port}/\n\nOpen it in a browser. Ctrl-C stops it.\n`);
  await stopped;
  server.closeAllConnections();
  server.close();
}
