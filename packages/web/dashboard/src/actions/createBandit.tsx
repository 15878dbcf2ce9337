import { useState } from "preact/hooks";
import { Action } from "./action.js";
import { useAccess } from "./useAccess.js";

/** A form for a new bandit, for keys that may create one. */
export function CreateBandit() {
  const role = useAccess();
  const [name, setName] = useState("");
  const [arms, setArms] = useState("");
  const [unit, setUnit] = useState("");
  const [direction, setDirection] = useState("loss");
  if (role !== "admin") return null;
  const list = arms.split(",").map((arm) => arm.trim());
  const body = {
    arms: arms === "" ? ["classic", "one-page", "express"] : list,
    ...(unit === "" ? {} : { unit }),
    ...(direction === "loss" ? {} : { direction }),
  };
  return (
    <details class="create">
      <summary>Create a bandit</summary>
      <h2 class="unseen">A new bandit</h2>
      <Action
        id="create"
        title={`Create ${name === "" ? "a bandit" : name}`}
        verb="Create"
        consequence={`${name} is created with the arms ${body.arms.join(", ")}. Its arms, window, holdout and cap can be changed later; its name, policy, unit and direction cannot.`}
        request={{ method: "PUT", path: `v1/bandits/${encodeURIComponent(name === "" ? "checkout" : name)}`, body }}
        done={() => `${name} is there. It appears in the list within seconds.`}
      >
        <label for="new-name">Name</label>
        <input
          id="new-name"
          required
          pattern="[A-Za-z0-9][A-Za-z0-9._:\-]{0,127}"
          title="letters, digits and . _ : -"
          autocomplete="off"
          spellcheck={false}
          placeholder="checkout"
          value={name}
          onInput={(event) => setName(event.currentTarget.value)}
        />
        <label for="new-arms">Arms, with commas between</label>
        <input
          id="new-arms"
          required
          pattern="[^,]+(,[^,]+)+"
          title="at least two"
          autocomplete="off"
          spellcheck={false}
          placeholder="classic, one-page, express"
          value={arms}
          onInput={(event) => setArms(event.currentTarget.value)}
        />
        <label for="new-direction">Feedback is</label>
        <select id="new-direction" value={direction} onChange={(event) => setDirection(event.currentTarget.value)}>
          <option value="loss">a loss: lower is better</option>
          <option value="reward">a reward: higher is better</option>
        </select>
        <label for="new-unit">Its unit, if any</label>
        <input id="new-unit" autocomplete="off" maxLength={16} placeholder="s" value={unit} onInput={(event) => setUnit(event.currentTarget.value)} />
      </Action>
    </details>
  );
}
