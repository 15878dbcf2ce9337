import type { BanditView, Evaluation, History } from "@tsallis/service/client";
import { useMemo } from "preact/hooks";
import { formatCount } from "tsallis/statistics";
import { ask } from "../answers/ask.js";
import { usePolled } from "../answers/usePolled.js";
import { banditAddress } from "../route/route.js";
import { Alarms } from "../sections/alarms.js";
import { Alive } from "../sections/alive.js";
import { Costs } from "../sections/costs.js";
import { DocumentSection } from "../sections/documentSection.js";
import { drawnArms } from "../sections/drawnArms.js";
import { Losses } from "../sections/losses.js";
import { Race } from "../sections/race.js";
import { Savings } from "../sections/savings.js";
import { TrafficSection } from "../sections/trafficSection.js";
import { Why } from "../sections/why.js";
import { Failed } from "./failed.js";
import { Stale } from "./stale.js";
import { useNow } from "./useNow.js";

const PERIOD_MS = 2_000;
const POINTS = 300;

interface Props {
  readonly name: string;
  readonly segment: string;
  readonly decision: string;
}

export function BanditPage({ name, segment, decision }: Props) {
  const now = useNow();
  const polled = usePolled(JSON.stringify([name, segment]), PERIOD_MS, (signal) => load(name, segment, signal));
  const { answer, failure } = polled;
  const drawn = useMemo(() => (answer === undefined ? new Map() : drawnArms(answer.history)), [answer]);
  if (failure?.status === 401 || (answer === undefined && failure !== undefined)) return <Failed failure={failure} />;
  return (
    <>
      <div class="title">
        <h1 tabIndex={-1}>{name}</h1>
        <p class="note">{answer === undefined ? "Asking the service…" : summary(answer.view)}</p>
        {answer !== undefined && answer.view.segments.length > 0 && <Segments view={answer.view} segment={segment} decision={decision} />}
      </div>
      <Stale polled={polled} />
      {answer !== undefined && (
        <>
          <Alive state={answer.view.state} alive={answer.history.alive} now={now} />
          <Savings evaluation={answer.evaluation} medians={answer.history.medians} unit={answer.view.document.unit} />
          <Race evaluation={answer.evaluation} unit={answer.view.document.unit} drawn={drawn} />
          <TrafficSection history={answer.history} drawn={drawn} view={answer.view} />
          <Costs view={answer.view} history={answer.history} drawn={drawn} />
          <Losses costs={answer.history.costs} drawn={drawn} />
          <Alarms alarms={answer.view.alarms} rewards={answer.view.counters.rewards} />
          <Why bandit={name} decision={decision} onAsk={(id) => (location.hash = banditAddress(name, { segment, decision: id }))} />
          <DocumentSection view={answer.view} />
        </>
      )}
    </>
  );
}

function summary({ document, arms, counters }: BanditView): string {
  return `${document.policy.policy}, ${formatCount(arms.length)} arms, ${formatCount(counters.decisions)} decisions`;
}

interface Answers {
  readonly view: BanditView;
  readonly evaluation: Evaluation;
  readonly history: History;
}

async function load(name: string, segment: string, signal: AbortSignal): Promise<Answers> {
  const path = `v1/bandits/${encodeURIComponent(name)}`;
  const query = new URLSearchParams(segment === "" ? {} : { segment });
  const asked = query.size > 0 ? `?${query}` : "";
  const [view, evaluation, history] = await Promise.all([
    ask<BanditView>(`${path}${asked}`, signal),
    ask<Evaluation>(`${path}/evaluation${asked}`, signal),
    ask<History>(`${path}/history?${new URLSearchParams({ points: String(POINTS), ...(segment === "" ? {} : { segment }) })}`, signal),
  ]);
  return { view, evaluation, history };
}

function Segments({ view, segment, decision }: { readonly view: BanditView; readonly segment: string; readonly decision: string }) {
  return (
    <div class="asking">
      <label for="segment">Segment</label>
      <select
        id="segment"
        value={segment}
        onChange={(event) => (location.hash = banditAddress(view.name, { segment: event.currentTarget.value, decision }))}
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
