import type { BanditList, BanditSummary } from "@tsallis/service/client";
import { useState } from "preact/hooks";
import { formatCount, formatPercent } from "tsallis/statistics";
import { Mark } from "../../../common/mark.js";
import { Moment } from "../../../common/moment.js";
import { Scroller } from "../../../common/scroller.js";
import { CreateBandit } from "../actions/createBandit.js";
import { ask } from "../answers/ask.js";
import { usePolled } from "../answers/usePolled.js";
import { banditAddress } from "../route/route.js";
import { Failed } from "./failed.js";
import { Stale } from "./stale.js";
import { byTrouble, troubleOf } from "./trouble.js";
import { useNow } from "./useNow.js";

const PERIOD_MS = 5_000;
const ROWS = 200;

export function ListPage() {
  const polled = usePolled("list", PERIOD_MS, (signal) => ask<BanditList>("v1/bandits?limit=10000", signal));
  const { answer, failure } = polled;
  if (failure?.status === 401 || (answer === undefined && failure !== undefined)) return <Failed failure={failure} />;
  return (
    <>
      <h1 tabIndex={-1}>Bandits</h1>
      <Stale polled={polled} />
      {answer === undefined ? (
        <p class="note">Asking the service…</p>
      ) : answer.bandits.length === 0 ? (
        <Empty />
      ) : (
        <List bandits={answer.bandits} isStale={failure !== undefined} />
      )}
      {answer !== undefined && <CreateBandit />}
    </>
  );
}

function Empty() {
  const origin = new URL(".", location.href).href.replace(/\/$/, "");
  return (
    <>
      <p>There is no bandit yet. This makes one:</p>
      <pre>{`curl -X PUT ${origin}/v1/bandits/checkout -H 'content-type: application/json' -d '{"arms":["classic","one-page","express"]}'`}</pre>
      <p class="note">It appears here within seconds.</p>
    </>
  );
}

function List({ bandits, isStale }: { readonly bandits: readonly BanditSummary[]; readonly isStale: boolean }) {
  const now = useNow();
  const [filter, setFilter] = useState("");
  const word = filter.trim().toLowerCase();
  const found = bandits.filter(({ name, policy, state }) => [name, policy, state].some((text) => text.toLowerCase().includes(word)));
  const sorted = byTrouble(found, now).slice(0, ROWS);
  return (
    <>
      <div class="asking">
        <label for="filter">Filter</label>
        <input
          id="filter"
          type="search"
          value={filter}
          onInput={(event) => setFilter(event.currentTarget.value)}
          autocomplete="off"
          spellcheck={false}
        />
        <span class="note" role="status">
          {found.length === bandits.length
            ? `${formatCount(bandits.length)} in all`
            : `${formatCount(found.length)} of ${formatCount(bandits.length)}`}
          {sorted.length < found.length && `, the first ${ROWS} are shown`}
        </span>
      </div>
      {sorted.length > 0 && (
        <Scroller label="All bandits">
          <table>
            <thead>
              <tr>
                <th scope="col">name</th>
                <th scope="col" class="words">
                  state
                </th>
                <th scope="col" class="words">
                  alarms
                </th>
                <th scope="col">last event</th>
                <th scope="col">decisions</th>
                <th scope="col">answered</th>
                <th scope="col">open</th>
                <th scope="col">arms</th>
                <th scope="col" class="words">
                  policy
                </th>
              </tr>
            </thead>
            <tbody>
              {sorted.map((bandit) => (
                <Row key={bandit.name} bandit={bandit} now={now} isStale={isStale} />
              ))}
            </tbody>
          </table>
        </Scroller>
      )}
    </>
  );
}

interface RowProps {
  readonly bandit: BanditSummary;
  readonly now: number;
  readonly isStale: boolean;
}

function Row({ bandit, now, isStale }: RowProps) {
  const { name, state, policy, arms, counters, lastEvent, alarms } = bandit;
  const { level, word } = troubleOf(bandit, now);
  const outcomes = counters.answered + counters.expired;
  // Its counts are in the log that cannot be read.
  const isShut = state === "shut";
  return (
    <tr>
      <th scope="row">
        <a href={banditAddress(name)}>{name}</a>
      </th>
      <td class="words">
        <Mark level={isStale ? "off" : level} />
        {word}
      </td>
      <td class="words">{alarms.length === 0 ? "none" : alarms.join(", ")}</td>
      <td>{lastEvent !== null ? <Moment at={lastEvent} now={now} /> : isShut ? "–" : "never"}</td>
      <td>{isShut ? "–" : formatCount(counters.decisions)}</td>
      <td>{outcomes === 0 ? "–" : formatPercent(counters.answered / outcomes)}</td>
      <td>{isShut ? "–" : formatCount(counters.open)}</td>
      <td>{formatCount(arms)}</td>
      <td class="words">{policy}</td>
    </tr>
  );
}
