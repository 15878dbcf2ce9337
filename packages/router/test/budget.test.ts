import { expect, it } from "vitest";
import { Budget } from "../src/http/budget.js";

it("is exact to the request, whatever the share", () => {
  for (const share of [0.1, 0.05, 0.3, 1 / 3, 0.07, 1]) {
    const budget = new Budget(share);
    let spent = 0;
    for (let requests = 1; requests <= 1000; requests++) {
      budget.earn();
      while (!budget.isSpent) {
        budget.spend();
        spent++;
      }
      expect(spent).toBe(Math.floor(share * requests + 1e-9));
    }
  }
});

it("saves for at most 100 extra requests", () => {
  const budget = new Budget(0.1);
  for (let i = 0; i < 1_000_000; i++) budget.earn();
  let spent = 0;
  for (; !budget.isSpent; spent++) budget.spend();
  expect(spent).toBe(100);
  for (let i = 0; i < 10; i++) budget.earn();
  expect(budget.isSpent).toBe(false);
  budget.spend();
  expect(budget.isSpent).toBe(true);
});
