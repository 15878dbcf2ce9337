import type { Timeline } from "@tsallis/service/client";
import { formatCount } from "tsallis/statistics";
import { formatMoment } from "../../../common/formatTime.js";
import { type Level, Mark } from "../../../common/mark.js";
import { unbroken } from "../../../common/unbroken.js";
import { around, type BanditRoute, banditAddress } from "../route/route.js";
import { Section } from "./section.js";

/** What changed in the period, each with a link to its moment. */
export function Changes({ timeline, route, now }: { readonly timeline: Timeline; readonly route: BanditRoute; readonly now: number }) {
  const { changes, behind } = timeline;
  return (
    <Section id="changes" title="What changed?">
      {behind > 0 && <p role="status">The history is being read from the log: {formatCount(behind)} events to go.</p>}
      {changes.length === 0 && behind === 0 && <p>Nothing in this period.</p>}
      {changes.length > 0 && (
        <ol class="changes">
          {changes.map(({ at, sentence, isWorse }) => (
            <li key={`${at} ${sentence}`}>
              <Mark level={levelOf(isWorse)} />
              <a href={banditAddress(route.name, { ...route, ...around(at, now) })}>
                <time dateTime={at}>{formatMoment(Date.parse(at))}</time>
              </a>
              <span>{unbroken(sentence)}</span>
            </li>
          ))}
        </ol>
      )}
      <p class="note">
        An arm whose losses stay the same gets a false entry at most once in 10,000,000 compared losses, whatever their distribution; at most two a
        second are compared. Medians are within 2 %. {route.segment !== "" && "All segments together."}
      </p>
    </Section>
  );
}

function levelOf(isWorse: boolean | null): Level {
  return isWorse === null ? "off" : isWorse ? "warn" : "good";
}
