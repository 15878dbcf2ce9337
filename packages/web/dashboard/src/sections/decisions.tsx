import type { BanditView, RecentDecisions } from "@tsallis/service/client";
import { useEffect, useState } from "preact/hooks";
import { formatPercent } from "tsallis/statistics";
import { formatClock, formatMoment } from "../../../common/formatTime.js";
import { Scroller } from "../../../common/scroller.js";
import { ask } from "../answers/ask.js";
import { Failure } from "../answers/failure.js";
import { useKey } from "../answers/key.js";
import { type BanditRoute, banditAddress } from "../route/route.js";
import { formatLoss } from "./formatLoss.js";
import { Section } from "./section.js";
import { Why } from "./why.js";

/** Longer ids are shown by their end, which differs. */
const LONGEST = 20;

/** The last decisions, each of which can be explained. The list stands still until it is asked for again, so that it can be clicked. */
export function Decisions({ route, document }: { readonly route: BanditRoute; readonly document: BanditView["document"] }) {
  const { name, decision } = route;
  const key = useKey();
  const [asked, setAsked] = useState(0);
  const [found, setFound] = useState<RecentDecisions["decisions"] | Failure>();
  useEffect(() => {
    const stop = new AbortController();
    ask<RecentDecisions>(`v1/bandits/${encodeURIComponent(name)}/decisions`, stop.signal).then(
      ({ decisions }) => setFound(decisions),
      (error) => {
        if (!stop.signal.aborted) setFound(error instanceof Failure ? error : new Failure(0, "", String(error)));
      },
    );
    return () => stop.abort();
  }, [name, key, asked]);
  return (
    <Section id="decisions" title="Why this decision?">
      <Why bandit={name} decision={decision} document={document} onAsk={(id) => (location.hash = banditAddress(name, { ...route, decision: id }))} />
      {found instanceof Failure && <p>The last decisions cannot be shown: {found.sentence}</p>}
      {Array.isArray(found) && (
        <>
          <p class="note">
            The last {found.length} decisions.{" "}
            <button type="button" onClick={() => setAsked(asked + 1)}>
              Refresh the list
            </button>
          </p>
          {found.length > 0 && (
            <Scroller label="The last decisions">
              <table>
                <thead>
                  <tr>
                    <th scope="col">decision</th>
                    <th scope="col">made</th>
                    <th scope="col" class="words">
                      arm
                    </th>
                    <th scope="col">probability</th>
                    <th scope="col">outcome</th>
                    <th scope="col" class="words">
                      reason
                    </th>
                  </tr>
                </thead>
                <tbody>
                  {found.map(({ id, at, arm, probability, outcome, loss, why }) => (
                    <tr key={id} aria-current={id === decision ? "true" : undefined}>
                      <th scope="row">
                        <a class="amount" href={banditAddress(name, { ...route, decision: id })} title={id}>
                          {id.length > LONGEST ? `…${id.slice(-8)}` : id}
                        </a>
                      </th>
                      <td>
                        <time dateTime={at} title={formatMoment(Date.parse(at))}>
                          {formatClock(Date.parse(at), true)}
                        </time>
                      </td>
                      <td class="words">{arm}</td>
                      <td>{probability === null ? "–" : formatPercent(probability)}</td>
                      <td>{outcome === "answered" ? formatLoss(loss, document) : outcome}</td>
                      <td class="words">{why}</td>
                    </tr>
                  ))}
                </tbody>
              </table>
            </Scroller>
          )}
        </>
      )}
    </Section>
  );
}
