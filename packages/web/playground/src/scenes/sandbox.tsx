import { useMemo, useState } from "preact/hooks";
import { formatNumber } from "tsallis/statistics";
import { seriesStyle } from "../../../common/seriesStyle.js";
import type { PolicyBound } from "../engine/boundsOf.js";
import { keyOf, MOST, type Race, runOf, worldOf } from "../engine/race.js";
import { useBounds } from "../engine/useBounds.js";
import { LossFile } from "../parts/lossFile.js";
import { ParameterFields } from "../parts/parameterFields.js";
import { PolicyForms } from "../parts/policyForms.js";
import { RaceFigure } from "../parts/raceFigure.js";
import type { Curve } from "../parts/regretChart.js";
import { Share } from "../parts/share.js";
import { WorldForm } from "../parts/worldForm.js";
import { addressOf } from "../state/address.js";
import { type Faults, faultsOf } from "../state/faultsOf.js";
import type { LossTable } from "../state/lossTable.js";
import { withValue } from "../state/parameterText.js";
import { PRESETS } from "../state/presets.js";
import type { Scene, SceneProps } from "./scene.js";

const RACE = PRESETS[0]!.race;

const LENGTHS = {
  rounds: { type: "integer", description: `at most ${MOST.rounds.toLocaleString("en")}` },
  seeds: { type: "integer", description: `at most ${MOST.seeds}` },
} as const;

function Body({ scene, given, setGiven }: SceneProps) {
  // What the forms say. It is played as soon as it can be; until then the race before stays.
  const [form, setForm] = useState({ given, race: given ?? RACE });
  const [isLog, setLog] = useState(false);
  const [loaded, setLoaded] = useState<LossTable | null>(null);
  const [wantsBounds, setWantsBounds] = useState(false);
  // Another race has come from the address.
  const draft = form.given === given ? form.race : (given ?? RACE);
  const faults = useMemo(() => faultsOf(draft), [draft]);
  const played = given ?? RACE;
  const bounds = useBounds(played, wantsBounds);
  const address = useMemo(() => addressOf({ scene: scene.name, handles: {}, race: played }), [played]);
  const promise = useMemo(() => promiseText(played), [played]);
  const curves = useMemo(() => curvesOf(played, bounds ?? []), [played, bounds]);

  const write = (race: Race) => setForm({ given, race });
  const reason = firstFault(draft, faults);
  const play = (race: Race) => {
    const isSound = firstFault(race, faultsOf(race)) === null;
    setForm({ given: isSound ? race : given, race });
    if (isSound) setGiven(race);
  };
  // A handle stops where the race could no longer be played; where it cannot be anyway, nothing is gained by that.
  const canPlay = (world: Race["world"]) => {
    const next = { ...draft, world };
    return reason !== null || firstFault(next, faultsOf(next)) === null;
  };
  const armNames = loaded !== null && played.world.losses === loaded.losses ? loaded.names : undefined;
  return (
    <div class="sandbox">
      <p class="presets">
        {PRESETS.map(({ name, race }) => (
          <button type="button" key={name} aria-pressed={keyOf(race) === keyOf(draft)} onClick={() => play(race)}>
            {name}
          </button>
        ))}
      </p>
      <RaceFigure
        name={scene.name}
        race={played}
        stale={reason}
        scale={isLog ? "log" : "linear"}
        against={bestChanges(played) && !wantsBounds ? "round" : "arm"}
        curves={curves}
        speed={1_000}
        {...(armNames && { armNames })}
        above={
          <p class="choices">
            <label>
              <input type="checkbox" checked={isLog} onChange={(event) => setLog(event.currentTarget.checked)} /> logarithmic axes
            </label>
            <label>
              <input type="checkbox" checked={wantsBounds} onChange={(event) => setWantsBounds(event.currentTarget.checked)} /> bounds
            </label>
            <Share address={address} />
          </p>
        }
        below={() => (
          <>
            <p class="note">{promise}</p>
            {bounds && <Proofs race={played} bounds={bounds} />}
          </>
        )}
      />
      <div class="forms">
        <WorldForm
          race={draft}
          fault={faults.world}
          canPlay={canPlay}
          onBend={(world) => write({ ...draft, world })}
          onDone={() => play(draft)}
          onChange={(world) => play({ ...draft, world })}
        />
        <div>
          <PolicyForms race={draft} faults={faults.policies} onChange={(policies) => play({ ...draft, policies })} />
          <ParameterFields
            parameters={LENGTHS}
            values={{ rounds: draft.rounds, seeds: draft.seeds }}
            onChange={(name, value) => play(withValue(draft, name, value))}
          />
          {faults.race !== null && (
            <p class="refusal" role="alert">
              {faults.race}
            </p>
          )}
          <LossFile
            onLoad={(table) => {
              const { alpha, delay, rotate } = draft.world;
              const { losses } = table;
              const world = { environment: "replay", alpha, losses, ...(delay !== undefined && { delay }), ...(rotate && { rotate }) };
              setLoaded(table);
              play({ ...draft, world, rounds: losses.length });
            }}
          />
        </div>
      </div>
      <p class="words">
        The hills are the losses of the arms. Drag the round handle to move an arm's mean, and the square one to make its tail heavier or lighter;
        with the keyboard, go to a handle and use the arrow keys. A handle stops where a policy could no longer be played. Eight policies can race at
        a time, in every kind of world. In the form of a policy <code>promised</code> means what is true of the world.
      </p>
      <p class="words">
        A bound is what has been proved: no world of this kind makes the policy's expected regret larger. It is shown where the world keeps all that
        the proof assumes, and it usually lies far above what is played, so choose logarithmic axes with it.
      </p>
      <p class="words try">
        Try this: drag the square of arm 1 to the right until its mean is larger than the others'. Its median loss is still the smallest. Which
        policies find out, and what does HTINF's larger sigma cost it?
      </p>
    </div>
  );
}

/** What the world promises to those that ask for it. Empty if none does. */
export function promiseText(race: Race): string {
  const policy = race.policies.findIndex(({ spec }) => spec.sigma === "promised");
  if (policy < 0) return "";
  const { sigma } = runOf(race, { policy, seed: 1 }, worldOf(race)).policy;
  const { label } = race.policies[policy]!;
  return `${label}'s sigma here is ${formatNumber(sigma as number)}, large enough for every arm and round. With a large sigma a policy may explore until the end.`;
}

/** Why a race cannot be played, at the first thing that is wrong with it; null if it can. */
function firstFault({ policies }: Race, { world, policies: ofPolicies, race }: Faults): string | null {
  const policy = ofPolicies.findIndex((fault) => fault !== null);
  return world ?? (policy < 0 ? race : `${policies[policy]!.label}: ${ofPolicies[policy]}`);
}

/** Whether no arm is the best in every round, in a world that has means. */
function bestChanges(race: Race): boolean {
  return race.world.environment !== "replay" && worldOf(race).gaps === undefined;
}

function curvesOf(race: Race, bounds: readonly PolicyBound[]): Curve[] {
  return bounds.flatMap(({ id, values, rounds }, policy) => {
    if (id === null) return [];
    const byRound = new Map(rounds.map((round, i) => [round, values[i]!]));
    const { colour, opacity } = seriesStyle(policy);
    return {
      name: `${race.policies[policy]!.label}'s bound`,
      style: { colour, opacity, dash: [2, 4] },
      at: (round) => byRound.get(round) ?? Number.NaN,
    };
  });
}

/** Which bound each policy has here, or why it has none. */
function Proofs({ race, bounds }: { readonly race: Race; readonly bounds: readonly PolicyBound[] }) {
  return (
    <ul class="proofs">
      {race.policies.map(({ label }, policy) => (
        <li key={label}>
          {label}: {bounds[policy]?.note ?? bounds[policy]?.source}
        </li>
      ))}
      {bestChanges(race) && <li>Bounds are for regret against the best single arm. It falls below 0 where a policy follows the changes.</li>}
    </ul>
  );
}

export const SANDBOX: Scene = {
  name: "sandbox",
  title: "Sandbox",
  short: "Sandbox",
  claim: "Every world and every policy of the library can race here, and the command line plays the same runs.",
  counted: "A test plays 134 runs of these scenes with the code of this page and with that of the command line, and all their hashes are equal.",
  handles: [],
  race: () => RACE,
  Body,
};
