import { unknownBandit } from "../serviceError.js";
import type { Store } from "../store/store.js";
import { BanditQueue } from "./banditQueue.js";
import { erase } from "./requests.js";

/** Which id is erased. */
export interface EraseOptions {
  readonly bandit: string;
  readonly id: string;
  /** Who erases it, for the log. */
  readonly by?: string | undefined;
  /** The clock, in milliseconds since 1970; for tests. */
  readonly now?: () => number;
}

/** Erases the id of a decision from the log of a bandit, which stays provable. Returns from how many events; 0 if none has it. Servers may be running meanwhile. */
export async function eraseDecision(store: Store, { bandit, id, by, now = Date.now }: EraseOptions): Promise<number> {
  const row = await store.bandit(bandit);
  if (row === null) throw unknownBandit(bandit);
  const ignore = () => {};
  const queue = await BanditQueue.open(row, { store, now, maxOpen: 0, onCommit: ignore, onLostRace: ignore, onProblem: ignore });
  const erased = await queue.submit(erase(id, by));
  await queue.close();
  return erased;
}
