import type { BanditView } from "@tsallis/service/client";
import { useState } from "preact/hooks";
import { formatCount, formatNumber, formatPercent } from "tsallis/statistics";
import { formatDuration } from "../../../common/formatTime.js";
import { Moment } from "../../../common/moment.js";
import { useKey } from "../answers/key.js";
import { logAddress, saveLog } from "../answers/saveLog.js";
import { Section } from "./section.js";

const MOST_NAMES = 50;

export function DocumentSection({ view }: { readonly view: BanditView }) {
  const { arms, policy, seed, windowSeconds, expired, holdout, cap, unit } = view.document;
  const more = arms.length - MOST_NAMES;
  return (
    <Section id="document" title="The bandit">
      <dl class="facts">
        <dt>arms</dt>
        <dd>
          {arms.slice(0, MOST_NAMES).join(", ")}
          {more > 0 && ` and ${formatCount(more)} more`}
        </dd>
        <dt>policy</dt>
        <dd>
          <code>{JSON.stringify(policy)}</code>
        </dd>
        <dt>seed</dt>
        <dd>{seed}</dd>
        <dt>window</dt>
        <dd>{formatDuration(windowSeconds)} for feedback</dd>
        <dt>expired</dt>
        <dd>
          {expired === "ignore"
            ? "ignore: a decision without feedback teaches nothing"
            : `a decision without feedback counts as the loss ${formatNumber(expired)}`}
        </dd>
        <dt>holdout</dt>
        <dd>{holdout === 0 ? "none" : `${formatPercent(holdout)} of decisions are drawn uniformly at random, and nothing is learned from them`}</dd>
        <dt>cap</dt>
        <dd>
          {cap === null ? "none: the evaluation guesses it" : `losses above ${cap}${unit === "" ? "" : ` ${unit}`} count as that in the evaluation`}
        </dd>
        <dt>created</dt>
        <dd>
          <Moment at={view.created} full /> by version {view.version}, bits <code>{view.bits}</code>
        </dd>
        <dt>round</dt>
        <dd>{formatCount(view.round)}</dd>
        <dt>log</dt>
        <dd>
          {formatCount(view.seq)} events. <Log name={view.name} /> · <a href="openapi.json">The interface (openapi.json)</a>
        </dd>
      </dl>
    </Section>
  );
}

/** Without a key the log is a link like any other. */
function Log({ name }: { readonly name: string }) {
  const key = useKey();
  const [problem, setProblem] = useState("");
  const save = (event: Event) => {
    if (key === undefined) return;
    event.preventDefault();
    setProblem("");
    saveLog(name).catch((error: Error) => setProblem(error.message));
  };
  return (
    <>
      <a href={logAddress(name)} onClick={save}>
        The log, from its beginning
      </a>
      <span role="status">{problem !== "" && ` (${problem})`}</span>
    </>
  );
}
