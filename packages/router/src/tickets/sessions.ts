/** Why a session left its upstream: that failed, or became clearly worse than another, or was removed; or the session had expired, or too many others came after it. */
export const LEAVING = ["failed", "worse", "removed", "expired", "evicted"] as const;
/** Why a session left its upstream. @useDeclaredType */
export type Leaving = (typeof LEAVING)[number];

/** What has become of sessions since the router was created. */
export interface SessionStatus {
  /** How many are remembered. */
  readonly sessions: number;
  /** Requests that went where their session was. */
  readonly kept: number;
  readonly left: Readonly<Record<Leaving, number>>;
}

/** Where sessions are. The one that was not used for the longest time comes first, and is the first that is forgotten. */
export class Sessions {
  readonly #places = new Map<string, { readonly place: string; readonly until: number }>();
  #kept = 0;
  readonly #left: Record<Leaving, number> = { failed: 0, worse: 0, removed: 0, expired: 0, evicted: 0 };

  constructor(
    readonly lifetimeSeconds: number,
    readonly most: number,
  ) {}

  /** The place of the upstream where a session is; null if it is nowhere. */
  find(key: string, now: number): string | null {
    const session = this.#places.get(key);
    if (session === undefined) return null;
    if (session.until >= now) return session.place;
    this.leave(key, session.place, "expired");
    return null;
  }

  /** A request of the session goes to a place. */
  bind(key: string, place: string, now: number): void {
    if (this.#places.delete(key) === false && this.#places.size >= this.most) {
      this.#places.delete(this.#places.keys().next().value!);
      this.#left.evicted++;
    }
    this.#places.set(key, { place, until: now + this.lifetimeSeconds });
  }

  kept(): void {
    this.#kept++;
  }

  /** The session leaves a place, unless it has left it before. */
  leave(key: string, place: string, reason: Leaving): void {
    if (this.#places.get(key)?.place !== place) return;
    this.#places.delete(key);
    this.#left[reason]++;
  }

  status(): SessionStatus {
    return { sessions: this.#places.size, kept: this.#kept, left: { ...this.#left } };
  }
}
