import { type Command, Option } from "@commander-js/extra-typings";
import { Failure } from "../text/failure.js";
import { print, say } from "../text/output.js";
import { helpText } from "../text/prose.js";
import { counted } from "../text/quantities.js";

const HELP = `
FILE has a key bandits, and under it the document of each bandit by its name, as PUT takes it, and a state. What a document leaves out stays as it is; bandits
that are not in the file are left alone. Without --yes nothing is changed. What would lose something is refused, and then nothing else is applied either: an arm that
is retired, a bandit that is archived, another policy or seed. The key is taken from TSALLIS_KEY; it needs the role admin.
It goes over HTTP, and not to the store: so it may run where the database cannot be reached, its key says what it may touch, and the log says who changed what.

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
    .summary("create and change bandits as a file says")
    .description("Bring the bandits of a service to what a file says. Shows what would change; --yes changes it.")
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
    await print(planText(plan));
    const refused = plan.filter(({ losses }) => losses.length > 0);
    if (refused.length > 0) {
      const message = `nothing was changed: ${refused.map(({ name }) => name).join(", ")} would lose something; change the file, or send a PATCH where it is meant`;
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
