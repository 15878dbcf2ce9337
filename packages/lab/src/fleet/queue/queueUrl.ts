import { LabError } from "../../labError.js";

/** Where a fleet meets. The credentials stay inside: `shown` and `scrub` are for people. */
export interface QueueUrl {
  readonly engine: "redis" | "postgres";
  /** As it was given. */
  readonly url: string;
  /** Without credentials. */
  readonly shown: string;
  /** A text without the credentials, should it hold them: drivers quote what they were given. */
  scrub(text: string): string;
}

const ENGINES: Readonly<Record<string, QueueUrl["engine"]>> = {
  "redis:": "redis",
  "rediss:": "redis",
  "postgres:": "postgres",
  "postgresql:": "postgres",
};

/** Parameters of a URL that drivers take as credentials. */
const SECRET = /pass|secret|token|key/i;
const HIDDEN = "***";

/** Reads the URL of a queue; its scheme chooses the engine. */
export function parseQueueUrl(url: string): QueueUrl {
  const parsed = URL.canParse(url) ? new URL(url) : undefined;
  const engine = parsed && ENGINES[parsed.protocol];
  // What is not understood is not quoted: it may hold a password.
  if (parsed === undefined || engine === undefined || parsed.hostname === "") {
    const scheme = /^[a-z][a-z0-9+.-]{0,19}:/i.exec(url)?.[0];
    const got = parsed !== undefined && engine === undefined && scheme !== undefined ? `, not one that begins with ${scheme}` : "";
    throw new LabError("ERR_QUEUE", `the queue needs a URL such as redis://host:6379/0 or postgres://host:5432/database${got}`);
  }
  const { protocol, host, pathname, username, password, searchParams } = parsed;
  const user = username === "" && password === "" ? "" : `${HIDDEN}@`;
  const passwords = [password, ...[...searchParams].filter(([name]) => SECRET.test(name)).map(([, value]) => value)].flatMap(spellings);
  const users = spellings(username).map((name) => new RegExp(`(?<!\\w)${name.replace(/[^\w]/g, "\\$&")}(?!\\w)`, "g"));
  const shown = `${protocol}//${user}${host}${pathname}`;
  return {
    engine,
    url,
    shown,
    scrub(text) {
      const withoutPasswords = passwords.reduce((clean, secret) => clean.replaceAll(secret, HIDDEN), text.replaceAll(url, shown));
      // Only as a word: a user may be called "u".
      return users.reduce((clean, name) => clean.replace(name, HIDDEN), withoutPasswords);
    },
  };
}

/** As it stands in a URL, and as it is meant; the longest first. */
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
