import { type Rng, stream } from "../src/index.js";

/** A random rearrangement: some arms go, some come, the others change places. */
export function randomFrom(arms: number, rng: Rng): (number | null)[] {
  const entries: { arm: number | null; at: number }[] = [];
  for (let arm = 0; arm < arms; arm++) if (rng.uniform() < 0.7) entries.push({ arm, at: rng.uniform() });
  const fresh = Math.floor(3 * rng.uniform()) + (entries.length === 0 ? 1 : 0);
  for (let i = 0; i < fresh; i++) entries.push({ arm: null, at: rng.uniform() });
  return entries.sort((a, b) => a.at - b.at).map(({ arm }) => arm);
}

export const seeded = (arms: number, seed: number) => randomFrom(arms, stream(seed, "arms that come and go"));

/** y by its definition. */
export function lawAfter(x: ArrayLike<number>, from: readonly (number | null)[]): number[] {
  const kept = from.filter((arm): arm is number => arm !== null);
  const fresh = (from.length - kept.length) / from.length;
  let had = 0;
  for (const arm of kept) had += x[arm]!;
  return from.map((arm) => (arm === null ? 1 / from.length : ((1 - fresh) * x[arm]!) / had));
}
