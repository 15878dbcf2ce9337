/** The codes that the router adds to the library's. docs/reference/router.md lists the same table, and a test keeps both equal. */
export const ROUTER_ERROR_CODES = {
  ERR_OPTION: "an option is unknown, outside its range or of the wrong type",
  ERR_UPSTREAMS: "the upstreams are not different URLs, or different names",
  ERR_FORGETTING: "forgetting is given for a policy that has no half-life, or that already has its own",
  ERR_NOT_HTTP: "the upstreams are names, which only tickets can use",
  ERR_PATH: "a path does not begin with a slash, or could leave an upstream's base path",
  ERR_ROUTE: "the route of a request is not a name",
  ERR_REARRANGE: "the policy cannot take over another list of upstreams",
  ERR_TIMEOUT: "an upstream has not answered within the timeout",
  ERR_CLOSED: "the router has been closed",
  ERR_STATE: "a saved state is damaged",
  ERR_STATE_OTHER: "a saved state belongs to another policy or another loss",
  ERR_STATE_BUSY: "another router holds the state file",
  ERR_STATE_WRITE: "the state file cannot be written",
} as const;

/** A code of a RouterError. */
export type RouterErrorCode = keyof typeof ROUTER_ERROR_CODES;

/** An error of the router, with a public code, the name and value of what is wrong, and a message that says what to do. */
export class RouterError extends Error {
  override readonly name = "RouterError";

  constructor(
    readonly code: RouterErrorCode,
    readonly parameter: string,
    readonly value: unknown,
    message: string,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}

/** A value as messages show it: short, and with "1" distinct from 1. */
export function show(value: unknown): string {
  if (typeof value === "number" || typeof value === "bigint" || typeof value === "symbol") return String(value);
  if (typeof value === "function") return "a function";
  let text: string | undefined;
  try {
    text = JSON.stringify(value);
  } catch {
    // The value is circular.
  }
  text ??= String(value);
  return text.length > 60 ? `${text.slice(0, 57)}...` : text;
}
