import { type Command, Option } from "@commander-js/extra-typings";
import { Failure } from "../text/failure.js";
import { printText, say } from "../text/output.js";
import { helpText } from "../text/prose.js";
import { counted } from "../text/quantities.js";

const HELP = `
FILE has the key bandits, with the document of each bandit by name, as PUT takes it, and perhaps a state. Whatever it leaves out stays as it is, and so do
other bandits. Without --yes nothing is changed. If an arm would be retired, a bandit archived, or a policy or seed changed, everything is refused. The key
comes from TSALLIS_KEY and needs the role admin.

Examples:
  $ tsallis apply bandits.yaml
  $ tsallis apply bandits.yaml --yes
  $ TSALLIS_KEY=$(cat admin.key) tsallis apply bandits.yaml --url https://bandits.example --yes
`;

interface ApplyOptions {
  readonly url: string;
  readonly yes?: true | undefined;
}

export function addApply(program: Command): void {
  program
    .command("apply")
    .summary("create and change bandits from a file")
    .description("Show how the bandits of a service would change to match a file; with --yes, change them.")
    .argument("<file>", "YAML or JSON with the key bandits")
    .addOption(new Option("--url <address>", "where the service listens").env("TSALLIS_URL").default("http://127.0.0.1:7411"))
    .option("--yes", "apply the changes")
    .addHelpText("after", helpText(HELP))
    .action((file, options) => apply(file, options));
}

async function apply(file: string, { url, yes }: ApplyOptions): Promise<void> {
  const { readBandits } = await import("../input/banditFile.js");
  const { planOf } = await import("../input/banditPlan.js");
  const { planText } = await import("../text/planText.js");
  const { ClientError, createClient } = await import("@tsallis/service/client");
  const wanted = await readBandits(file);
  const key = process.env.TSALLIS_KEY;
  try {
    const client = createClient({ url, ...(key === undefined ? {} : { key }) });
    const present = new Set((await client.bandits()).map(({ name }) => name));
    const views = await Promise.all(Object.keys(wanted).map(async (name) => (present.has(name) ? await client.view(name) : null)));
    const plan = planOf(wanted, views, [...present]);
    await printText(planText(plan));
    const refused = plan.filter(({ losses }) => losses.length > 0);
    if (refused.length > 0) {
      const message = `nothing was changed: ${refused.map(({ name }) => name).join(", ")} would lose something; change the file, or send a PATCH if you mean it`;
      throw new Failure("ERR_BANDIT_DIFFERS", message, file);
    }
    const steps = plan.filter(({ create, change }) => create !== null || change !== null);
    if (yes === undefined) {
      if (steps.length > 0) say(`nothing was changed; repeat with --yes to change ${counted(steps.length, "bandit")}`);
      return;
    }
    for (const { name, create, change, revision } of steps) {
      if (create !== null) await client.create(name, create);
      // What was shown is what is changed: if somebody else was faster, this is refused.
      if (change !== null) await client.change(name, change, revision === null ? {} : { revision });
    }
    say(`${counted(steps.length, "bandit")} changed`);
  } catch (error) {
    if (error instanceof ClientError) throw new Failure(error.code, error.message, url);
    if (error instanceof TypeError && error.message.startsWith("url ")) throw new Failure("ERR_PARAMETER", error.message, "--url");
    throw error;
  }
}
