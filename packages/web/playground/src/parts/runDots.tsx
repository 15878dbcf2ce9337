import { formatNumber } from "tsallis/statistics";
import { seriesStyle } from "../../../common/seriesStyle.js";
import { Swatch } from "../../../common/swatch.js";
import type { RaceView } from "../engine/engine.js";
import type { Race } from "../engine/race.js";
import type { Lit } from "./regretChart.js";

interface Props {
  readonly view: RaceView;
  readonly lit: Lit | null;
  onLight(lit: Lit | null): void;
  /** Whether it says what a dot is. */
  readonly hasNote?: boolean;
}

export const STUCK = "its regret in the last fifth of the rounds is more than half that of uniform play";

/** One dot for each run, full if the run is stuck, dashed before it is judged. The mouse or the arrow keys light a run in the chart. */
export function RunDots({ view, lit, onLight, hasNote = true }: Props) {
  const { policies } = view.race;
  return (
    <div class="dots">
      {policies.map(({ label }, policy) => (
        <Row key={label} view={view} policy={policy} lit={lit?.policy === policy ? lit.seed : null} onLight={onLight} />
      ))}
      {hasNote && <DotNote />}
    </div>
  );
}

export function DotNote() {
  return <p class="dot-note">Each dot is a run, dashed until it is judged at its end. A full one is stuck: {STUCK}.</p>;
}

interface RowProps {
  readonly view: RaceView;
  readonly policy: number;
  readonly lit: number | null;
  onLight(lit: Lit | null): void;
}

function Row({ view, policy, lit, onLight }: RowProps) {
  const { label } = view.race.policies[policy]!;
  const { stuck, runs } = view.tapes[policy]!;
  const count = isYardstick(view.race, policy) ? "" : stuckCount(stuck);
  const light = (seed: number) => onLight({ policy, seed });
  const regretOf = (seed: number) => runs[seed]!.findLast((value) => value !== null) ?? 0;
  return (
    <div class="dot-row">
      <span class="swatched">
        <Swatch style={seriesStyle(policy)} line />
        <span>{label}</span>
      </span>
      <span class={`dot-line ${seriesStyle(policy).colour}`}>
        {stuck.map((isStuck, seed) => (
          <span
            key={seed}
            class={`dot ${isStuck === null ? "open" : isStuck ? "full" : ""} ${lit === seed ? "lit" : ""}`}
            onPointerEnter={() => light(seed)}
            onPointerLeave={() => onLight(null)}
          />
        ))}
        <input
          type="range"
          min={1}
          max={stuck.length}
          value={(lit ?? 0) + 1}
          aria-label={`Run of ${label}`}
          aria-valuetext={`seed ${(lit ?? 0) + 1}: ${stuckWord(stuck[lit ?? 0]!)}, regret ${formatNumber(regretOf(lit ?? 0))}`}
          onFocus={() => light(0)}
          onBlur={() => onLight(null)}
          onInput={(event) => light(Number(event.currentTarget.value) - 1)}
        />
      </span>
      <span class="dot-count">{count && `stuck: ${count}`}</span>
    </div>
  );
}

/** Uniform play is what the others are judged by. */
export function isYardstick({ policies }: Race, policy: number): boolean {
  return policies[policy]!.spec.policy === "uniform";
}

function stuckWord(stuck: boolean | null): string {
  return stuck === null ? "not judged" : stuck ? "stuck" : "not stuck";
}

/** How many of the runs that are over are stuck. */
export function stuckCount(stuck: readonly (boolean | null)[]): string {
  const over = stuck.filter((each) => each !== null);
  return over.length === 0 ? "" : `${over.filter(Boolean).length} of ${over.length}`;
}
