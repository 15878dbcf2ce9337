import type { BanditView, Evaluation, History, Timeline } from "@tsallis/service/client";
import { useMemo, useRef } from "preact/hooks";
import { formatCount } from "tsallis/statistics";
import { BanditActions } from "../actions/banditActions.js";
import { ask } from "../answers/ask.js";
import { loadTimeline } from "../answers/loadTimeline.js";
import { usePolled } from "../answers/usePolled.js";
import { type BanditRoute, banditAddress } from "../route/route.js";
import { Alarms } from "../sections/alarms.js";
import { Alive } from "../sections/alive.js";
import { Changes } from "../sections/changes.js";
import { Costs, figuresOf } from "../sections/costs.js";
import { Decisions } from "../sections/decisions.js";
import { DocumentSection } from "../sections/documentSection.js";
import { drawnArms } from "../sections/drawnArms.js";
import { Losses } from "../sections/losses.js";
import { PeriodPicker } from "../sections/periodPicker.js";
import { Race } from "../sections/race.js";
import { Savings } from "../sections/savings.js";
import { TrafficSection } from "../sections/trafficSection.js";
import { Failed } from "./failed.js";
import { Stale } from "./stale.js";
import { useNow } from "./useNow.js";

/** What moves, and what moves slowly and is large. */
const PERIOD_MS = 5_000;
const SLOW_MS = 30_000;
const POINTS = 300;

export function BanditPage({ route }: { readonly route: BanditRoute }) {
  const { name, segment, period, to } = route;
  const now = useNow();
  const known = useRef<{ readonly of: string; readonly timeline: Timeline }>(undefined);
  const of = JSON.stringify([name, segment, period, to]);
  const polled = usePolled(of, PERIOD_MS, async (signal) => {
    const path = `v1/bandits/${encodeURIComponent(name)}`;
    const own = segment === "" ? {} : { segment };
    const before = known.current?.of === of ? known.current.timeline : undefined;
    const [view, timeline] = await Promise.all([
      ask<BanditView>(`${path}${segment === "" ? "" : `?${new URLSearchParams(own)}`}`, signal),
      loadTimeline(`${path}/timeline`, { period, ...(to === "" ? {} : { to }), ...own }, before, signal),
    ]);
    known.current = { of, timeline };
    return { view, timeline };
  });
  const slow = usePolled(JSON.stringify([name, segment]), SLOW_MS, (signal) => loadSlow(name, segment, signal));
  const { answer, failure } = polled;
  const history = slow.answer?.history;
  const traffic = useMemo(() => {
    if (answer === undefined) return undefined;
    const { arms, points, to: end } = answer.timeline;
    // The history is of all segments together; a segment is shown by its last events.
    return segment === "" ? { arms: arms.map(({ arm }) => arm), points, to: end } : history;
  }, [answer, history, segment]);
  const drawn = useMemo(() => (traffic === undefined ? new Map() : drawnArms(traffic)), [traffic]);
  if (failure?.status === 401 || (answer === undefined && failure !== undefined)) return <Failed failure={failure} />;
  return (
    <>
      <div class="title">
        <h1 tabIndex={-1}>{name}</h1>
        <p class="note">{answer === undefined ? "Asking the service…" : summary(answer.view)}</p>
        {answer !== undefined && answer.view.segments.length > 0 && <Segments view={answer.view} route={route} />}
      </div>
      <Stale polled={polled} />
      {answer !== undefined && (
        <>
          <Alive state={answer.view.state} alive={answer.timeline.alive} now={now} isStale={failure !== undefined} />
          <Alarms alarms={answer.view.alarms} rewards={answer.view.counters.rewards} isStale={failure !== undefined} />
          <PeriodPicker route={route} />
          <Changes timeline={answer.timeline} route={route} now={now} />
          {traffic !== undefined && <TrafficSection traffic={traffic} drawn={drawn} view={answer.view} isNow={to === ""} />}
          <Costs
            view={answer.view}
            history={history}
            arms={segment === "" || history === undefined ? answer.timeline.arms : figuresOf(history)}
            drawn={drawn}
          />
          {slow.answer !== undefined && (
            <>
              <Savings evaluation={slow.answer.evaluation} medians={slow.answer.history.medians} unit={answer.view.document.unit} />
              <Race evaluation={slow.answer.evaluation} unit={answer.view.document.unit} drawn={drawn} />
              <Losses costs={slow.answer.history.costs} drawn={drawn} />
            </>
          )}
          <Decisions route={route} document={answer.view.document} />
          <BanditActions view={answer.view} />
          <DocumentSection view={answer.view} />
        </>
      )}
    </>
  );
}

function summary({ document, arms, counters }: BanditView): string {
  return `${document.policy.policy}, ${formatCount(arms.length)} arms, ${formatCount(counters.decisions)} decisions`;
}

interface SlowAnswers {
  readonly evaluation: Evaluation;
  readonly history: History;
}

async function loadSlow(name: string, segment: string, signal: AbortSignal): Promise<SlowAnswers> {
  const path = `v1/bandits/${encodeURIComponent(name)}`;
  const own = segment === "" ? {} : { segment };
  // Without a segment the timeline has the points.
  const points = String(segment === "" ? 10 : POINTS);
  const [evaluation, history] = await Promise.all([
    ask<Evaluation>(`${path}/evaluation${segment === "" ? "" : `?${new URLSearchParams(own)}`}`, signal),
    ask<History>(`${path}/history?${new URLSearchParams({ points, ...own })}`, signal),
  ]);
  return { evaluation, history };
}

function Segments({ view, route }: { readonly view: BanditView; readonly route: BanditRoute }) {
  const { segment } = route;
  return (
    <div class="asking">
      <label for="segment">Segment</label>
      <select
        id="segment"
        value={segment}
        onChange={(event) => (location.hash = banditAddress(view.name, { ...route, segment: event.currentTarget.value }))}
      >
        <option value="">all together</option>
        {[...new Set([...view.segments, segment])].filter(Boolean).map((name) => (
          <option value={name} key={name}>
            {name}
          </option>
        ))}
      </select>
    </div>
  );
}
