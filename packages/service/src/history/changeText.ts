import { type HistoryChange, isWorse, type LossChange } from "./historyChange.js";

/** What losses are measured in, and whether they are rewards with the sign reversed: part of a bandit's document. */
export interface Measure {
  readonly unit: string;
  readonly direction?: string;
}

/** A change in words, without its time. */
export function changeText(change: HistoryChange, document: Measure): string {
  if (change.kind === "settings") return `${change.settings.join(", ")}${change.by === null ? "" : `, by ${change.by}`}`;
  return `${change.arm}: median ${valueText(change.before, document)} to ${valueText(change.after, document)}${traffic(change)}`;
}

/** A loss as its owner thinks of it: with its unit, and as a reward where the bandit takes rewards. */
export function valueText(loss: number, { unit, direction }: Measure): string {
  const value = Number((direction === "reward" ? -loss : loss).toPrecision(2));
  return `${value}${unit === "" ? "" : ` ${unit}`}`;
}

function traffic(change: LossChange): string {
  const { share, movedAfter, shareLater, isOpen } = change;
  if (movedAfter !== null) return `; traffic ${isWorse(change) ? "left it" : "came to it"} within ${spanText(movedAfter)}`;
  if (isOpen || share === null || shareLater === null) return "";
  return `; its share of the traffic was ${percent(share)} and is ${percent(shareLater)} ten minutes later`;
}

function percent(share: number): string {
  return `${Math.round(100 * share)} %`;
}

/** Rounded up: it was not longer. */
function spanText(ms: number): string {
  const seconds = Math.ceil(ms / 1000);
  return seconds <= 120 ? `${seconds} s` : `${Math.ceil(seconds / 60)} min`;
}
