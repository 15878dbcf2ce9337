import type { Rng } from "tsallis";

/** Some things in a random order, all orders equally likely (Fisher and Yates). */
export function shuffled<Thing>(things: readonly Thing[], rng: Rng): Thing[] {
  const order = [...things];
  for (let i = order.length - 1; i > 0; i--) {
    const j = Math.floor(rng.uniform() * (i + 1));
    [order[i], order[j]] = [order[j]!, order[i]!];
  }
  return order;
}
