import type { BanditView, History } from "@tsallis/service/client";
import type { ComponentChildren } from "preact";
import { formatCount, formatNumber, formatPercent } from "tsallis/statistics";
import { Mark } from "../../../common/mark.js";
import { Moment } from "../../../common/moment.js";
import { lifeSign } from "./lifeSign.js";
import { Section } from "./section.js";

const UNKNOWN = { level: "off", word: "Not known", sentence: "The service does not answer now. The figures are its last ones." } as const;

interface Props {
  readonly state: BanditView["state"];
  readonly alive: History["alive"];
  readonly now: number;
  /** Whether the service does not answer, so that nothing is known of now. */
  readonly isStale: boolean;
}

export function Alive({ state, alive, now, isStale }: Props) {
  const { level, word, sentence } = isStale ? UNKNOWN : lifeSign(state, alive, now);
  return (
    <Section id="alive" title="Is it alive?">
      <div class="alive">
        {/* Only the word is read out when it changes, not the figures. */}
        <p class="sign" role="status">
          <Mark level={level} />
          <strong>{word}.</strong> <span class="note">{sentence}</span>
        </p>
        <dl class="figures">
          <Figure name="decisions/s">{formatNumber(alive.decisionsPerSecond)}</Figure>
          <Figure name="feedback/s">{formatNumber(alive.feedbackPerSecond)}</Figure>
          <Figure name="answered">{alive.answered === null ? "–" : formatPercent(alive.answered)}</Figure>
          <Figure name="expired">{alive.expired === null ? "–" : formatPercent(alive.expired)}</Figure>
          <Figure name="open">{formatCount(alive.open)}</Figure>
          <Figure name="last event">{alive.lastEvent === null ? "never" : <Moment at={alive.lastEvent} now={now} />}</Figure>
        </dl>
      </div>
    </Section>
  );
}

function Figure({ name, children }: { readonly name: string; readonly children: ComponentChildren }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}
