/** A request that was not answered as hoped. Status 0: no answer at all. */
export class Failure extends Error {
  override readonly name = "Failure";

  constructor(
    readonly status: number,
    readonly code: string,
    message: string,
  ) {
    super(message);
  }

  /** What the service says, with a full stop. */
  get sentence(): string {
    return this.message.replace(/[^.!?]$/, "$&.");
  }
}
