// What the compiler says about programs that use the client, or the service inside them. Each @ts-expect-error is a mistake that it must find; clientTypes.command.test.ts compiles this file with
// and without them.
import { createService } from "@tsallis/service";
import { createClient } from "@tsallis/service/client";

interface Arms {
  checkout: "classic" | "express";
  search: "fuzzy" | "exact";
}

export async function typed(): Promise<void> {
  const client = createClient<Arms>({ url: "http://127.0.0.1:7411" });

  const decided = await client.decide("checkout", { id: "order-1" });
  const arm: "classic" | "express" = decided.arm;
  const never: false = decided.fallback;
  // @ts-expect-error: arms of another bandit
  const other: "fuzzy" | "exact" = decided.arm;
  // @ts-expect-error: without a fallback there is no reason for one
  decided.reason;
  // @ts-expect-error: no such bandit
  await client.decide("chekout");

  const either = await client.decide("checkout", { fallback: "classic" });
  if (either.fallback) either.reason.code.toUpperCase();
  else either.expires.toUpperCase();
  // @ts-expect-error: a fallback that is no arm of the bandit
  await client.decide("checkout", { fallback: "fuzzy" });

  await client.feedback("checkout", either, { loss: 1 });
  await client.feedback("checkout", { id: "order-1", arm }, { reward: 1 }, { signal: AbortSignal.timeout(100) });
  // @ts-expect-error: an arm that the bandit does not have
  await client.feedback("checkout", { id: "order-1", arm: "expres" }, { loss: 1 });
  // @ts-expect-error: neither a loss nor a reward
  await client.feedback("checkout", decided, {});

  for (const one of await client.decideAll("search", [{ id: "a" }, {}])) if (!("error" in one)) requireSearch(one.arm);
  await client.feedbackAll("search", [{ id: "a", arm: "exact", loss: 1 }]);
  // @ts-expect-error: an arm of another bandit
  await client.feedbackAll("search", [{ id: "a", arm: "classic", loss: 1 }]);

  await client.create("search", { arms: ["fuzzy", "exact"] });
  // @ts-expect-error: an arm that the type does not have
  await client.create("search", { arms: ["fuzzy", "exactly"] });
  // @ts-expect-error: an arm that the type does not have
  await client.change("search", { arms: ["exactly"] });
  const [first] = await client.bandits();
  first?.head.toUpperCase();

  // Without the type, every name is allowed.
  const untyped = createClient({ url: "http://127.0.0.1:7411" });
  const text: string = (await untyped.decide("anything")).arm;

  const inside = createService<Arms>({ store: "tsallis.db" }).bandit("checkout");
  const own: "classic" | "express" = (await inside.decide()).arm;
  // @ts-expect-error: an arm that the bandit does not have
  await inside.feedback({ id: "order-1", arm: "fuzzy" }, { loss: 1 });
  // @ts-expect-error: no such bandit
  createService<Arms>({ store: "tsallis.db" }).bandit("chekout");
  void [never, other, text, own];
}

function requireSearch(arm: "fuzzy" | "exact"): void {
  void arm;
}
