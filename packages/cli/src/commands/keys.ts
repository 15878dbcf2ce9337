import { type Command, Option } from "@commander-js/extra-typings";
import type { Role, StoredKey } from "@tsallis/service";
import { storeOption } from "../input/options.js";
import { Failure, shortened } from "../text/failure.js";
import { print, say } from "../text/output.js";
import { helpText } from "../text/prose.js";

const HELP = `
Send a key as the header authorization: Bearer tsk_... It is printed once; the store keeps only its hash. From the first key on, every request needs one, and
the service may listen on other addresses. A running service notices changes within a second.

Examples:
  $ tsallis keys add --role admin
  $ tsallis keys add --role decide --bandit 'team-a.*' --note "the shop" > shop.key
  $ tsallis keys add --role browser --bandit checkout --note "the shop's pages"
  $ tsallis keys list
  $ tsallis keys revoke 5a3f0c1d2e4b
`;

interface StoreOptions {
  readonly db?: string | undefined;
}

interface AddOptions extends StoreOptions {
  readonly role: Role;
  readonly bandit: readonly string[];
  readonly note: string;
}

export function addKeys(program: Command): void {
  const command = program
    .command("keys")
    .summary("add, list and revoke keys of a service")
    .description("Manage the keys of a service: who may do what with which bandits.")
    .addHelpText("after", helpText(HELP));
  command
    .command("add")
    .summary("make a key and print it once")
    .description("Make a key. Only the key goes to stdout.")
    .addOption(
      new Option(
        "--role <role>",
        "read (look), decide (decisions and feedback), browser (the same from web pages, one by one), or admin (everything)",
      )
        .choices(["read", "decide", "browser", "admin"] as const satisfies readonly Role[])
        .makeOptionMandatory(),
    )
    .option("--bandit <name>", "a bandit, or the beginning of names and a *; may be repeated (default: all)", collect, [])
    .option("--note <text>", "a note, such as who has it", "")
    .addOption(storeOption())
    .action((options) => add(options));
  command
    .command("list")
    .summary("list the keys")
    .description("List the keys: roles, bandits, notes and the last day of use. The keys themselves are not stored.")
    .addOption(storeOption())
    .option("--json", "print one JSON array")
    .action((options) => list(options));
  command
    .command("revoke")
    .summary("revoke a key")
    .description("Revoke a key for good. A running service notices within a second.")
    .argument("<id>", "its id, from tsallis keys list")
    .addOption(storeOption())
    .action((id, options) => revoke(id, options));
}

function collect(value: string, before: readonly string[]): string[] {
  return [...before, value];
}

async function add({ db, role, bandit, note }: AddOptions): Promise<void> {
  const { addKey } = await import("@tsallis/service");
  const { usingStore } = await import("../input/givenStore.js");
  await usingStore(db, "create", async (store) => {
    const isFirst = (await store.keys()).length === 0;
    const { id, key } = await addKey(store, { role, note, ...(bandit.length > 0 && { scopes: bandit }) });
    try {
      await print(`${key}\n`);
    } catch (error) {
      // A key that was not printed must not be valid.
      await store.revokeKey(id, Date.now());
      throw error;
    }
    say(`key ${id}, role ${role}, for ${bandit.length === 0 ? "all bandits" : bandit.join(", ")}; it is shown this once`);
    if (isFirst) say(`it is the first key of ${store.name}: from now on every request needs one`);
  });
}

async function list({ db, json }: StoreOptions & { readonly json?: true | undefined }): Promise<void> {
  const { usingStore } = await import("../input/givenStore.js");
  const { keysText } = await import("../text/serviceText.js");
  const keys = await usingStore(db, "read", (store) => store.keys());
  await print(json ? `${JSON.stringify(keys.map(shown))}\n` : keysText(keys));
}

/** A key as JSON shows it, with times as HTTP answers have them. */
function shown({ id, role, scopes, note, createdAt, revokedAt, lastUsed }: StoredKey): object {
  return { id, role, scopes, note, createdAt: time(createdAt), revokedAt: revokedAt === null ? null : time(revokedAt), lastUsed };
}

function time(ms: number): string {
  return new Date(ms).toISOString();
}

async function revoke(id: string, { db }: StoreOptions): Promise<void> {
  const { usingStore } = await import("../input/givenStore.js");
  await usingStore(db, "write", async (store) => {
    if (!(await store.revokeKey(id, Date.now()))) {
      throw new Failure("ERR_KEY", `no valid key has the id ${shortened(id)}; tsallis keys list shows them`);
    }
    say(`key ${id} is revoked`);
    const isLast = !(await store.keys()).some(({ revokedAt }) => revokedAt === null);
    if (isLast) say("it was the last key: the service refuses every request until you add another with tsallis keys add");
  });
}
