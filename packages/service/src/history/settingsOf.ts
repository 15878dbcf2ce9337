import type { ChangeEvent, NumberedArm } from "../log/event.js";

/** More than these are counted only. */
const MOST = 10;

/** What an event changed, in words. */
export function settingsOf({ windowSeconds, expired, holdout, segments, cap, state, arms }: ChangeEvent, before: readonly NumberedArm[]): string[] {
  const said: string[] = [];
  if (state !== undefined) said.push(state);
  if (arms !== undefined) {
    const has = (all: readonly NumberedArm[], { number }: NumberedArm) => all.some((arm) => arm.number === number);
    for (const arm of arms) if (!has(before, arm)) said.push(`arm ${arm.name} added`);
    for (const arm of before) if (!has(arms, arm)) said.push(`arm ${arm.name} retired`);
  }
  if (holdout !== undefined) said.push(`holdout ${holdout}`);
  if (windowSeconds !== undefined) said.push(`window ${windowSeconds} s`);
  if (expired !== undefined) said.push(`expired ${expired}`);
  if (cap !== undefined) said.push(`cap ${cap}`);
  if (segments !== undefined) said.push(`${segments.length} segments`);
  return said.length > MOST ? [...said.slice(0, MOST), `${said.length - MOST} more`] : said;
}
