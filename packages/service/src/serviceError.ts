/** Every code that the service adds to the library's, with the HTTP status that it has and its meaning. docs/reference/service.md lists the same table, and a test keeps both equal. */
export const SERVICE_ERROR_CODES = {
  ERR_HTTP: [400, "what came is not HTTP"],
  ERR_JSON: [400, "a body is not JSON"],
  ERR_CONTENT_TYPE: [415, "a body is not declared as application/json"],
  ERR_HOST: [403, "a server without keys is asked under a name that is not this machine's own"],
  ERR_KEY: [401, "no key, or one that is unknown, revoked or expired"],
  ERR_ROLE: [403, "the key's role does not allow this"],
  ERR_TOKEN: [403, "feedback with a browser's key has not the token of its decision"],
  ERR_ROUTE: [404, "no such route"],
  ERR_UNKNOWN_BANDIT: [404, "there is no bandit of that name, or it lies outside the key's scope"],
  ERR_UNKNOWN_DECISION: [404, "the bandit has no decision with that id"],
  ERR_BANDIT_DIFFERS: [409, "a bandit of that name exists with another document"],
  ERR_DELETED: [410, "a bandit of that name was deleted, and names are not used twice"],
  ERR_NOT_ARCHIVED: [409, "only a bandit that is archived or shut can be deleted"],
  ERR_FEEDBACK_DIFFERS: [409, "the decision has another outcome already"],
  ERR_SEGMENT_DIFFERS: [409, "the decision exists in another segment"],
  ERR_ARM_DIFFERS: [409, "the feedback is about another arm than the decided one"],
  ERR_ID_TAKEN: [409, "the id belongs to a decision that another key asked for"],
  ERR_PAUSED: [409, "the bandit is paused: it makes no decisions"],
  ERR_ARCHIVED: [409, "the bandit is archived: it makes no decisions and learns nothing"],
  ERR_REVISION: [412, "the bandit was changed since the change was thought of"],
  ERR_TOO_LARGE: [413, "a body is larger than the route takes"],
  ERR_BODY: [422, "a body, a query or a name has the wrong shape"],
  ERR_DIRECTION: [422, "a loss was sent to a bandit that takes rewards, or a reward to one that takes losses"],
  ERR_UNKNOWN_SEGMENT: [422, "the bandit does not list that segment"],
  ERR_SEGMENTS: [422, "a bandit has at most 1,000 segments"],
  ERR_BANDITS: [422, "a service has at most 10,000 bandits"],
  ERR_HEADERS: [431, "the headers are larger than 16 KiB"],
  ERR_RATE: [429, "a key asks too often"],
  ERR_OPEN_LIMIT: [429, "too many decisions wait for their feedback"],
  ERR_BUSY: [503, "too much waits to be written"],
  ERR_STORE: [503, "the store cannot be reached, is full, or refuses"],
  ERR_REPLAY: [503, "the log of this bandit does not replay, so it is shut"],
  ERR_VERSION: [503, "a newer version of the library has taken this bandit over"],
  ERR_WARMING: [503, "the server is still loading its bandits"],
  ERR_SLOW: [408, "a request took too long to arrive"],
  ERR_INTERNAL: [500, "a defect of the service"],
  ERR_TIMEOUT: [0, "the service did not answer the client in time"],
  ERR_ANSWER: [0, "what answered the client was not the service"],
  ERR_OPTIONS: [0, "the service cannot start with these options"],
  ERR_SCHEMA: [0, "the store was written by another version of the service"],
  ERR_PACKAGE: [0, "an optional package that the store needs is not installed"],
  ERR_LOG: [0, "a log cannot be read, or is damaged"],
  ERR_PRUNE: [0, "nothing can be pruned like this"],
  ERR_BACKUP: [0, "the store cannot be backed up like this"],
  ERR_REPAIR: [409, "the log needs no repair, or cannot be repaired like this"],
} as const satisfies Record<string, readonly [status: number, meaning: string]>;

/** A code of a ServiceError. */
export type ServiceErrorCode = keyof typeof SERVICE_ERROR_CODES;

/** An error of the service: a public code, the name of the offending parameter, and a message that says what to do. */
export class ServiceError extends Error {
  override readonly name = "ServiceError";
  readonly parameter: string | undefined;
  /** What else the answer tells, beside code, parameter and message. */
  readonly details: Readonly<Record<string, unknown>>;

  constructor(
    readonly code: ServiceErrorCode,
    message: string,
    { parameter, cause, ...details }: { parameter?: string; cause?: unknown; [detail: string]: unknown } = {},
  ) {
    super(message, cause === undefined ? undefined : { cause });
    this.parameter = parameter;
    this.details = details;
  }

  get status(): number {
    return SERVICE_ERROR_CODES[this.code][0] || 500;
  }
}

/** The refusal of a name that no bandit has, or none that the key may see. */
export function unknownBandit(name: string): ServiceError {
  return new ServiceError("ERR_UNKNOWN_BANDIT", `there is no bandit ${name}; create it with PUT /v1/bandits/${name}`, { parameter: "name" });
}
