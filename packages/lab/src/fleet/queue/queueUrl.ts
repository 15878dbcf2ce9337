import { LabError } from "../../labError.js";

/** The address of a fleet's queue. `shown` and `scrub` are safe for people to see: they contain no credentials. */
export interface QueueUrl {
  readonly engine: "redis" | "postgres";
  /** The URL as given, with credentials. */
  readonly url: string;
  /** The URL without credentials. */
  readonly shown: string;
  /** Removes the credentials from a text, because drivers quote the URL that they were given. */
  scrub(text: string): string;
  /** What to give to --queue in a shell; a URL that must not be shown comes from the environment. */
  readonly word: string;
}

const ENGINES: Readonly<Record<string, QueueUrl["engine"]>> = {
  "redis:": "redis",
  "rediss:": "redis",
  "postgres:": "postgres",
  "postgresql:": "postgres",
};

/** URL parameters that drivers accept as credentials. */
const SECRET = /pass|secret|token|key/i;
const HIDDEN = "***";
/** A shell where the variable is not set says so and does not start the command. */
const FROM_ENVIRONMENT = `"\${TSALLIS_QUEUE:?the URL of the queue}"`;

/** Reads the URL of a queue; its scheme chooses the engine. */
export function parseQueueUrl(url: string): QueueUrl {
  const parsed = URL.canParse(url) ? new URL(url) : undefined;
  const engine = parsed && ENGINES[parsed.protocol];
  // A URL that cannot be parsed is not quoted, because it may contain a password.
  if (parsed === undefined || engine === undefined || parsed.hostname === "") {
    const scheme = /^[a-z][a-z0-9+.-]{0,19}:/i.exec(url)?.[0];
    const got = parsed !== undefined && engine === undefined && scheme !== undefined ? `, not one that begins with ${scheme}` : "";
    throw new LabError("ERR_QUEUE", `the queue needs a URL such as redis://host:6379/0 or postgres://host:5432/database${got}`);
  }
  const { protocol, host, pathname, username, password, searchParams } = parsed;
  if (engine === "redis") requireDatabases(pathname.slice(1), ...searchParams.getAll("db"));
  const user = username === "" && password === "" ? "" : `${HIDDEN}@`;
  const passwords = [password, ...[...searchParams].filter(([name]) => SECRET.test(name)).map(([, value]) => value)].flatMap(spellings);
  const users = spellings(username).map((name) => new RegExp(`(?<!\\w)${name.replace(/[^\w]/g, "\\$&")}(?!\\w)`, "g"));
  const shown = `${protocol}//${user}${host}${pathname}`;
  const isWhole = user === "" && searchParams.size === 0;
  return {
    engine,
    url,
    shown,
    scrub(text) {
      const withoutPasswords = passwords.reduce((clean, secret) => clean.replaceAll(secret, HIDDEN), text.replaceAll(url, shown));
      // Replaced only as a whole word, because a user may be called "u".
      return users.reduce((clean, name) => clean.replace(name, HIDDEN), withoutPasswords);
    },
    word: isWhole ? quoted(shown) : FROM_ENVIRONMENT,
  };
}

/** The driver would take anything else for the database 0, or for as much of it as is a number. */
function requireDatabases(...databases: readonly string[]): void {
  const wrong = databases.find((database) => !/^\d*$/.test(database));
  if (wrong === undefined) return;
  throw new LabError("ERR_QUEUE", `the database of a Redis is a number, as in redis://host:6379/0, not ${JSON.stringify(wrong.slice(0, 40))}`);
}

/** A word as a shell reads it back. */
function quoted(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}

/** The secret as encoded in a URL and as decoded; the longer one first. */
function spellings(secret: string): string[] {
  const all = new Set([secret, decoded(secret), encodeURIComponent(decoded(secret))]);
  return [...all].filter((each) => each !== "").sort((a, b) => b.length - a.length);
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
