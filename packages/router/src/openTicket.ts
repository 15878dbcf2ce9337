import type { Choice } from "tsallis";
import type { Desk } from "./desk.js";
import type { Ticket } from "./ticket.js";

/** The holder of a ticket, which is called when the ticket's time is up and must then close it. */
export interface Holder {
  expire(): void;
}

/** A ticket of the desk, and a link in its list of open ones. */
export class OpenTicket implements Ticket {
  previous: OpenTicket | null = null;
  next: OpenTicket | null = null;
  /** Null if choose() was called directly: then nobody is called when the time is up. */
  holder: Holder | null = null;
  state: "open" | "closed" | "forgotten" = "open";
  /** Whether the policy learned from the ticket while it was still open. */
  overdue = false;

  constructor(
    readonly desk: Desk,
    readonly choice: Choice,
    /** In seconds of the desk's clock. */
    readonly started: number,
  ) {}

  get upstream(): string {
    return this.desk.ledger.names[this.choice.arm]!;
  }

  get probability(): number | null {
    return this.choice.probability;
  }

  get isOpen(): boolean {
    return this.state === "open";
  }

  seconds(): number {
    return this.desk.now() - this.started;
  }

  done(loss: number): void {
    this.desk.close(this, "done", loss);
  }

  failed(error?: unknown): void {
    this.desk.close(this, "failed", this.desk.cost(this), error);
  }

  abandoned(): void {
    this.desk.close(this, "abandoned", null);
  }
}
