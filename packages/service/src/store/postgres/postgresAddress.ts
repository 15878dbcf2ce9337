/** The address of a database. `shown` and `scrub` are safe for people to see. */
export interface PostgresAddress {
  readonly url: string;
  /** The URL without credentials and options. */
  readonly shown: string;
  /** Takes the password out of a text: drivers and servers may quote what they were given. */
  scrub(text: string): string;
}

/** URL parameters that the driver takes for credentials. */
const SECRET = /pass|secret|token|key/i;

export function postgresAddress(url: string): PostgresAddress {
  // One that cannot be parsed is not shown, because it may contain a password.
  if (!URL.canParse(url)) return { url, shown: "postgres://***", scrub: () => "the URL cannot be read" };
  const { protocol, host, pathname, password, searchParams } = new URL(url);
  const shown = `${protocol}//${host}${pathname}`;
  const secrets = [password, ...[...searchParams].filter(([name]) => SECRET.test(name)).map(([, value]) => value)].flatMap(spellings);
  return { url, shown, scrub: (text) => secrets.reduce((clean, secret) => clean.replaceAll(secret, "***"), text.replaceAll(url, shown)) };
}

/** A secret as it is in a URL, and decoded; the longer one first. */
function spellings(secret: string): string[] {
  return [...new Set([secret, decoded(secret)])].filter((each) => each !== "").sort((a, b) => b.length - a.length);
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
