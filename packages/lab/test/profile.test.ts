import { describe, expect, test } from "vitest";
import { profile } from "../src/results/profile.js";
import type { SummaryRow } from "../src/results/summary.js";

const rows = (table: Record<string, Record<string, number | null>>) =>
  Object.entries(table).flatMap(([policy, regrets]) =>
    Object.entries(regrets).map(
      ([environment, dynamicMean]) => ({ policy, environment, checkpoints: dynamicMean === null ? [] : [{ dynamicMean }] }) as unknown as SummaryRow,
    ),
  );

describe("a performance profile", () => {
  test("is the regret over the least regret of each environment", () => {
    const found = profile(rows({ late: { a: 30, b: 5, c: 8, d: 100 }, good: { a: 10, b: 10, c: 8, d: 100 }, odd: { a: 20, b: 20, c: 1, d: 100 } }))!;
    expect(found.map(({ policy, median, worst }) => [policy, median, worst])).toEqual([
      ["good", 1.5, { environment: "c", ratio: 8 }],
      ["odd", 1.5, { environment: "b", ratio: 4 }],
      ["late", 2, { environment: "c", ratio: 8 }],
    ]);
    expect([...found.find(({ policy }) => policy === "late")!.ratios]).toEqual([
      ["a", 3],
      ["b", 1],
      ["c", 8],
      ["d", 1],
    ]);
  });

  test("counts a policy that failed as infinitely far", () => {
    const [first, second] = profile(rows({ a: { x: 1, y: 1, z: 1 }, b: { x: 1, y: null, z: null } }))!;
    expect([first!.policy, first!.worst.ratio, second!.median, second!.worst]).toEqual(["a", 1, Infinity, { environment: "y", ratio: Infinity }]);
  });

  test("leaves out where somebody has no regret, and needs three environments and two policies", () => {
    expect(profile(rows({ a: { x: 1, y: 1, z: 0 }, b: { x: 1, y: 1, z: 1 } }))).toBeNull();
    expect(profile(rows({ a: { x: 1, y: 1, z: 1 } }))).toBeNull();
  });
});
