import type { BanditView } from "@tsallis/service/client";
import { useState } from "preact/hooks";
import { formatCount, formatPercent } from "tsallis/statistics";
import { saveLog } from "../answers/saveLog.js";
import { Section } from "../sections/section.js";
import { Action } from "./action.js";
import { curlOf } from "./curlOf.js";
import { useAccess } from "./useAccess.js";

/** What can be done about a bandit. */
export function BanditActions({ view }: { readonly view: BanditView }) {
  const role = useAccess();
  return (
    <Section id="actions" title="What can I do?">
      {role !== undefined && role !== "admin" && <p>This key has the role {role}. To change a bandit takes one with the role admin.</p>}
      <div class="actions">
        {role === "admin" && view.state !== "archived" && <Changes view={view} />}
        {role === "admin" && <Removals view={view} />}
        <Export name={view.name} />
      </div>
    </Section>
  );
}

function Changes({ view }: { readonly view: BanditView }) {
  const { name, state, document, counters } = view;
  const path = `v1/bandits/${encodeURIComponent(name)}`;
  const [arm, setArm] = useState("");
  const [holdout, setHoldout] = useState("");
  const names = view.arms.map((one) => one.name);
  const retired = names.includes(arm) ? arm : names[0]!;
  const share = holdout === "" ? document.holdout : Number(holdout) / 100;
  const isRunning = state === "running";
  return (
    <>
      <Action
        id="pause"
        title={isRunning ? `Pause ${name}` : `Resume ${name}`}
        verb={isRunning ? "Pause" : "Resume"}
        consequence={
          isRunning
            ? "It makes no decisions until it is resumed: clients that ask are refused, and have to decide without it. Feedback still counts, and windows still end. Nothing is lost."
            : "It makes decisions again, from what it has learned. Nothing is lost."
        }
        request={{ method: "PATCH", path, body: { state: isRunning ? "paused" : "running" } }}
        done={() => (isRunning ? "Paused." : "Running again.")}
      />
      <Action
        id="retire"
        title="Retire an arm"
        verb="Retire"
        consequence={`${retired} gets no more decisions. What was learned of it is lost: an arm of the same name that is added later starts from nothing. Feedback for its open decisions is recorded and not learned.`}
        request={{ method: "PATCH", path, body: { arms: names.filter((one) => one !== retired) } }}
        done={() => `${retired} is retired.`}
        isFinal
      >
        <label for="retired">Arm</label>
        <select id="retired" value={retired} onChange={(event) => setArm(event.currentTarget.value)}>
          {names.map((one) => (
            <option value={one} key={one}>
              {one}
            </option>
          ))}
        </select>
      </Action>
      <Action
        id="holdout"
        title="Change the holdout"
        verb="Change"
        consequence={`From now on ${formatPercent(share)} of decisions are drawn uniformly at random, and nothing is learned from them (until now ${formatPercent(document.holdout)}). A larger holdout answers sooner what is saved and which arm is best, and costs more meanwhile. Nothing is lost.`}
        request={{ method: "PATCH", path, body: { holdout: share } }}
        done={() => `The holdout is ${formatPercent(share)}.`}
      >
        <label for="share">Percent of decisions</label>
        <input
          id="share"
          type="number"
          min="0"
          max="50"
          step="any"
          required
          value={holdout === "" ? String(100 * document.holdout) : holdout}
          onInput={(event) => setHoldout(event.currentTarget.value)}
        />
      </Action>
      <Action
        id="expire"
        title="End open decisions"
        verb="End them"
        consequence={`${formatCount(counters.open)} decisions wait for feedback. They end now, and nothing is learned from them; feedback that comes later is recorded and not learned.`}
        request={{ method: "POST", path: `${path}/expire`, body: {} }}
        done={(answer) => `${formatCount((answer as { expired: number }).expired)} decisions were ended.`}
        isFinal
      />
      <Action
        id="archive"
        title={`Archive ${name}`}
        verb="Archive"
        consequence="It makes no decisions and takes no feedback any more. Its log stays, and can be read and audited."
        request={{ method: "PATCH", path, body: { state: "archived" } }}
        done={() => "Archived."}
        isFinal
      />
    </>
  );
}

/** What takes something out of the store. */
function Removals({ view: { name, state, counters } }: { readonly view: BanditView }) {
  const path = `v1/bandits/${encodeURIComponent(name)}`;
  const [id, setId] = useState("");
  return (
    <>
      <Action
        id="erase"
        title="Erase an id"
        verb="Erase"
        consequence={`The id ${id} is removed from the log, for example because a person asked for it. The decision and its loss stay, and the log can still be audited. Feedback under that id is not recognised any more. Copies of the log elsewhere keep the id.`}
        request={{ method: "POST", path: `${path}/erase`, body: { id: id === "" ? "order-81723" : id } }}
        done={(answer) => ((answer as { erased: number }).erased === 0 ? `No event has the id ${id}.` : `The id ${id} is erased.`)}
        isFinal
      >
        <label for="erased">Id to erase</label>
        <input
          id="erased"
          required
          pattern="[A-Za-z0-9._:\-]{1,128}"
          title="letters, digits and . _ : -"
          autocomplete="off"
          spellcheck={false}
          placeholder="order-81723"
          value={id}
          onInput={(event) => setId(event.currentTarget.value)}
        />
      </Action>
      {state === "archived" && (
        <Action
          id="delete"
          title={`Delete ${name}`}
          verb="Delete"
          consequence={`Its log of ${formatCount(counters.decisions)} decisions, what was learned and its history are deleted. Its name is not used again. Save the log first if anybody may ask for it.`}
          request={{ method: "DELETE", path }}
          done={() => "Deleted."}
          isFinal
        />
      )}
    </>
  );
}

/** A link could not carry the key. */
function Export({ name }: { readonly name: string }) {
  const [result, setResult] = useState("");
  const request = { method: "GET", path: `v1/bandits/${encodeURIComponent(name)}/log?limit=1000000` } as const;
  return (
    <form
      class="action"
      aria-labelledby="export-title"
      onSubmit={(event) => {
        event.preventDefault();
        setResult("…");
        saveLog(name).then(
          () => setResult("Saved as a file."),
          (error: Error) => setResult(error.message),
        );
      }}
    >
      <h3 id="export-title">Export the log</h3>
      <div class="asking">
        <button type="submit">Save the log</button>
      </div>
      <pre>{curlOf(request, location.href.split("#")[0]!, false)}</pre>
      <p role="status">{result}</p>
    </form>
  );
}
