import type { BanditView, DecisionProbabilities, DecisionView } from "@tsallis/service/client";
import type { ComponentChildren } from "preact";
import { useEffect, useState } from "preact/hooks";
import { formatCount, formatPercent } from "tsallis/statistics";
import { Moment } from "../../../common/moment.js";
import { ask } from "../answers/ask.js";
import { Failure } from "../answers/failure.js";
import { useKey } from "../answers/key.js";
import { formatLoss } from "./formatLoss.js";

interface Props {
  readonly bandit: string;
  /** The id that is asked about; "" for none. */
  readonly decision: string;
  readonly document: BanditView["document"];
  readonly onAsk: (id: string) => void;
}

interface Explained {
  readonly view: DecisionView;
  readonly drawn: DecisionProbabilities;
}

/** Explains one decision: in sentences, with the probabilities of all arms. */
export function Why({ bandit, decision, document, onAsk }: Props) {
  const key = useKey();
  const [found, setFound] = useState<Explained | Failure>();
  // Another key may see what this one does not.
  useEffect(() => {
    setFound(undefined);
    if (decision === "") return;
    const stop = new AbortController();
    const path = `v1/bandits/${encodeURIComponent(bandit)}/decisions/${encodeURIComponent(decision)}`;
    Promise.all([ask<DecisionView>(path, stop.signal), ask<DecisionProbabilities>(`${path}/probabilities`, stop.signal)]).then(
      ([view, drawn]) => setFound({ view, drawn }),
      (error) => {
        if (!stop.signal.aborted) setFound(error instanceof Failure ? error : new Failure(0, "", String(error)));
      },
    );
    return () => stop.abort();
  }, [bandit, decision, key]);
  return (
    <>
      <form
        class="asking"
        onSubmit={(event) => {
          event.preventDefault();
          onAsk(String(new FormData(event.currentTarget).get("id")).trim());
        }}
      >
        <label for="decision-id">Id of a decision</label>
        <input id="decision-id" name="id" key={decision} defaultValue={decision} autocomplete="off" spellcheck={false} placeholder="order-81723" />
        <button type="submit">Explain</button>
      </form>
      <div role="status" class="explanation">
        {found !== undefined &&
          (found instanceof Failure ? <Refusal id={decision} failure={found} /> : <Explanation {...found} document={document} />)}
      </div>
    </>
  );
}

const MOST_ARMS = 50;

function Refusal({ id, failure }: { readonly id: string; readonly failure: Failure }) {
  if (failure.status === 404) {
    return (
      <p>
        There is no decision <code>{id}</code> here. Perhaps it belongs to another bandit, or the id is the one of an order and not of a decision.
      </p>
    );
  }
  return <p>This id cannot be explained: {failure.sentence}</p>;
}

function Explanation({ view, drawn, document }: Explained & { readonly document: BanditView["document"] }) {
  const loss = (value: number | null) => formatLoss(value, document);
  const { arm, probability, round, threshold, segment, holdout, at, expires, outcome, late, seq, why } = view;
  return (
    <>
      <p class="lead">{drawn.why}</p>
      {drawn.probabilities !== null && (
        <ul class="probabilities" aria-label="What it was drawn from">
          {drawn.probabilities.slice(0, MOST_ARMS).map((one) => (
            <li key={one.arm} class={one.arm === arm ? "chosen" : undefined}>
              <span>{one.arm}</span>
              <svg viewBox="0 0 100 10" preserveAspectRatio="none" aria-hidden="true">
                <rect class="all" width="100" height="10" />
                <rect class="its" width={100 * one.probability} height="10" />
              </svg>
              <span>{formatPercent(one.probability)}</span>
            </li>
          ))}
        </ul>
      )}
      {drawn.probabilities === null && (
        <p class="note">The probabilities of all arms are not known: the policy does not tell them, or it was long ago.</p>
      )}
      <ul class="sentences">
        {why.map((sentence) => (
          <li key={sentence}>{sentence}</li>
        ))}
      </ul>
      <dl class="facts">
        <Fact name="arm">{arm}</Fact>
        <Fact name="probability">{probability === null ? "the policy cannot tell" : `${formatPercent(probability)} (${probability})`}</Fact>
        <Fact name="round">{round === null ? "none: drawn for the holdout" : formatCount(round)}</Fact>
        <Fact name="threshold">{threshold === null ? "none" : `skips losses of a size above ${loss(threshold)}`}</Fact>
        {segment !== undefined && <Fact name="segment">{segment}</Fact>}
        <Fact name="holdout">{holdout ? "yes" : "no"}</Fact>
        <Fact name="decided">
          <Moment at={at} full />
        </Fact>
        <Fact name="window ends">
          <Moment at={expires} full />
        </Fact>
        <Fact name="outcome">
          {outcome === null ? (
            "open: it waits for feedback"
          ) : (
            <>
              {outcome.status}, <Moment at={outcome.at} full />, {outcome.loss === null ? "no loss" : loss(outcome.loss)},{" "}
              {outcome.skipped ? "skipped because of its size" : outcome.learned ? "learned" : "not learned"}
            </>
          )}
        </Fact>
        {late !== null && (
          <Fact name="late feedback">
            {loss(late.loss)}, <Moment at={late.at} full />, not learned
          </Fact>
        )}
        <Fact name="place in the log">{formatCount(seq)}</Fact>
      </dl>
    </>
  );
}

function Fact({ name, children }: { readonly name: string; readonly children: ComponentChildren }) {
  return (
    <>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </>
  );
}
