/** Why the service could not be asked, or what it refused. */
export class ClientError extends Error {
  override readonly name = "ClientError";

  constructor(
    /** The service's own code; ERR_TIMEOUT if it did not answer in time; ERR_ANSWER if what answered was not the service. ERR_BODY may come without it. */
    readonly code: string,
    message: string,
    /** The HTTP status; null if there was no answer. */
    readonly status: number | null,
    /** What the service complains about, if it names something. */
    readonly parameter?: string,
    cause?: unknown,
  ) {
    super(message, cause === undefined ? undefined : { cause });
  }
}
