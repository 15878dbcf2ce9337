import { describe, expect, it } from "vitest";
import { tickText } from "../common/axis.js";
import { formatAgo, formatDuration, formatTicks } from "../common/formatTime.js";

describe("times", () => {
  it.each([
    [-3, "now"],
    [0.8, "now"],
    [1, "1 s ago"],
    [59.9, "59 s ago"],
    [60, "1 min ago"],
    [3_599, "59 min ago"],
    [3_600, "1 h ago"],
    [100_000, "27 h ago"],
    [900_000, "10 days ago"],
  ])("%d seconds: %s", (seconds, text) => {
    expect(formatAgo(seconds)).toBe(text);
  });

  it.each([
    [1, "1 second"],
    [90, "90 seconds"],
    [5_400, "90 minutes"],
    [86_400, "1 day"],
    [7_776_000, "90 days"],
  ])("a span of %d seconds is %s", (seconds, text) => {
    expect(formatDuration(seconds)).toBe(text);
  });

  it("ticks are times, and days where these begin", () => {
    const midnight = new Date(2026, 10, 16).getTime() / 1000;
    expect(formatTicks([midnight, midnight + 3_600], 3_600)).toEqual(["16 Nov", "01:00"]);
    expect(formatTicks([midnight + 3_605], 5)).toEqual(["01:00:05"]);
    expect(formatTicks([midnight, midnight + 2 * 86_400], 2 * 86_400)).toEqual(["16 Nov", "18 Nov"]);
  });
});

it("the ticks of an axis have no zeros at their ends", () => {
  expect([0, 2.5, 5, 12.5, 50, 100, 1_000, -25, 0.05].map(tickText)).toEqual(["0", "2.5", "5", "12.5", "50", "100", "1,000", "−25", "0.05"]);
});
