import { type Command, Option } from "@commander-js/extra-typings";
import type { Role, Store, StoredKey } from "@tsallis/service";
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
  $ tsallis keys rotate 5a3f0c1d2e4b --overlap 24h > shop.key
  $ tsallis keys revoke 5a3f0c1d2e4b
`;

interface StoreOptions {
  readonly db?: string | undefined;
}

interface AddOptions extends StoreOptions {
  readonly role: Role;
  readonly bandit: readonly string[];
  readonly note: string;
  readonly expires?: string | undefined;
}

interface RotateOptions extends StoreOptions {
  readonly overlap: string;
  readonly expires?: string | undefined;
}

export function addKeys(program: Command): void {
  const command = program
    .command("keys")
    .summary("add, list, rotate and revoke keys of a service")
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
    .addOption(new Option("--bandit <name>", "a bandit, or a prefix and *, such as team-a.*; may be repeated").argParser(collect).default([], "all"))
    .option("--note <text>", "a note, such as who has it", "")
    .option("--expires <duration>", "how long it is valid, such as 90d, 12h or 30m (default: until revoked)")
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
    .command("rotate")
    .summary("replace a key by a new one")
    .description(
      "Make a key with the role, bandits and note of another. Both work for a while, then the old one ends. Only the new key goes to stdout.",
    )
    .argument("<id>", "the old key's id, from tsallis keys list")
    .option("--overlap <duration>", "how long the old key still works, such as 24h or 30m; 0m ends it now", "24h")
    .option("--expires <duration>", "how long the new key is valid, such as 90d (default: until revoked)")
    .addOption(storeOption())
    .action((id, options) => rotate(id, options));
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

async function add({ db, role, bandit, note, expires }: AddOptions): Promise<void> {
  const { addKey } = await import("@tsallis/service");
  const { usingStore } = await import("../input/givenStore.js");
  const ends = await endOf(expires);
  await usingStore(db, "create", async (store) => {
    const isFirst = (await store.keys()).length === 0;
    const { id, key } = await addKey(store, { role, note, ...(bandit.length > 0 && { scopes: bandit }), ...ends });
    await printed(store, id, key);
    say(`key ${id}, role ${role}, for ${bandit.length === 0 ? "all bandits" : bandit.join(", ")}${untilText(ends)}; it is shown this once`);
    if (isFirst) say(`it is the first key of ${store.name}: from now on every request needs one`);
  });
}

/** When a key ends that is in force for so long. */
async function endOf(duration: string | undefined): Promise<{ readonly expires?: number }> {
  if (duration === undefined) return {};
  const { readDuration } = await import("../input/duration.js");
  return { expires: Date.now() + readDuration("expires", duration) };
}

function untilText({ expires }: { readonly expires?: number }): string {
  return expires === undefined ? "" : `, until ${time(expires)}`;
}

async function printed(store: Store, id: string, key: string): Promise<void> {
  try {
    await print(`${key}\n`);
  } catch (error) {
    // It was never shown, so it must not be in force.
    await store.revokeKey(id, Date.now());
    throw error;
  }
}

async function rotate(id: string, { db, overlap, expires }: RotateOptions): Promise<void> {
  const { addKey, isInForce } = await import("@tsallis/service");
  const { usingStore } = await import("../input/givenStore.js");
  const { readDuration } = await import("../input/duration.js");
  const ends = await endOf(expires);
  const until = Date.now() + readDuration("overlap", overlap);
  await usingStore(db, "write", async (store) => {
    const old = (await store.keys()).find((key) => key.id === id);
    if (old === undefined || !isInForce(old, Date.now())) throw noValidKey(id);
    const { role, scopes, note } = old;
    const made = await addKey(store, { role, scopes, note, ...ends });
    await printed(store, made.id, made.key);
    // It may end earlier than that anyway.
    await store.revokeKey(id, until);
    say(`key ${made.id} takes the place of ${id}, role ${role}, for ${scopes.join(", ")}${untilText(ends)}; it is shown this once`);
    say(`key ${id} ends at ${time(Math.min(until, old.revokedAt ?? until))}`);
  });
}

function noValidKey(id: string): Failure {
  return new Failure("ERR_KEY", `no valid key has the id ${shortened(id)}; tsallis keys list shows them`);
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
  const { isInForce } = await import("@tsallis/service");
  const { usingStore } = await import("../input/givenStore.js");
  await usingStore(db, "write", async (store) => {
    if (!(await store.revokeKey(id, Date.now()))) throw noValidKey(id);
    say(`key ${id} is revoked`);
    const isLast = !(await store.keys()).some((key) => isInForce(key, Date.now()));
    if (isLast) say("it was the last valid key: the service refuses every request until you add another with tsallis keys add");
  });
}
