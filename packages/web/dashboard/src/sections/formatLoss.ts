import type { BanditView } from "@tsallis/service/client";
import { formatNumber } from "tsallis/statistics";

/** A loss as its owner thinks of it: with its unit, and as a reward where the bandit takes rewards. */
export function formatLoss(loss: number | null | undefined, document: BanditView["document"]): string {
  if (loss === null || loss === undefined) return "–";
  return `${formatNumber(isReward(document) && loss !== 0 ? -loss : loss)}${document.unit === "" ? "" : `\u00a0${document.unit}`}`;
}

export function isReward(document: BanditView["document"]): boolean {
  return document.direction === "reward";
}
