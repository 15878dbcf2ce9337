import type { ComponentChildren } from "preact";
import { useEffect, useMemo, useState } from "preact/hooks";
import type { Environment } from "tsallis";
import { formatNumber, formatPercent } from "tsallis/statistics";
import type { Against, RaceView } from "../engine/engine.js";
import { keyOf, type Race, worldOf } from "../engine/race.js";
import { useRace } from "../engine/useRace.js";
import { ArmShares, type ShownArm } from "./armShares.js";
import { type Lit, RegretChart, type RegretChartProps } from "./regretChart.js";
import { Reproduce } from "./reproduce.js";
import { isYardstick, RunDots, stuckCount } from "./runDots.js";
import { Stage } from "./stage.js";
import type { Cue } from "./steps.js";
import { Transport } from "./transport.js";
import { wantsLessMotion } from "./wantsLessMotion.js";

interface Props extends Pick<RegretChartProps, "scale" | "curves" | "other" | "marks" | "worst" | "height" | "most"> {
  /** For file names. */
  readonly name: string;
  readonly race: Race;
  /** Rounds per second at the beginning. */
  readonly speed: number;
  /** The best single arm if left out. */
  readonly against?: Against;
  /** What the prose asks for. */
  readonly cue?: Cue | null;
  /** The words at the end of a policy's line, after its name. */
  readonly status?: (view: RaceView, policy: number) => string;
  /** The handles of the scene. */
  readonly above?: ComponentChildren;
  /** What a scene shows besides, below the chart. */
  readonly below?: (view: RaceView) => ComponentChildren;
  readonly armNames?: readonly string[];
  /** Why what is wanted now cannot be played; the race is then one from before. */
  readonly stale?: string | null;
}

/** A race with all that belongs to it: its controls, the regret of every run, where the rounds went, and how to reproduce it. */
export function RaceFigure({
  name,
  race: wanted,
  speed,
  against = "arm",
  cue = null,
  status,
  above,
  below,
  armNames,
  stale = null,
  marks,
  ...chart
}: Props) {
  const slow = useMemo(() => marks?.map(({ round }) => round) ?? [], [marks]);
  const racing = useRace(wanted, { speed, atEnd: wantsLessMotion(), against, slow });
  const [lit, setLit] = useState<Lit | null>(null);
  // Another race is shown as soon as it has begun; until then this is still the one before.
  const race = racing.view?.race ?? wanted;
  const shownLit = lit !== null && lit.policy < race.policies.length && lit.seed < race.seeds ? lit : null;
  const arms = useMemo(() => armsOf(race, armNames, shownLit?.seed ?? null), [keyOf(race), armNames, shownLit?.seed]);
  const { view, reason } = racing;
  useEffect(() => setLit(null), [keyOf(race)]);
  useEffect(() => {
    if (cue === null || cue.count === 0) return;
    // A step is read by scrolling to it, which asks for no motion.
    if (cue.at === "end" || wantsLessMotion()) racing.to(wanted.rounds);
    else racing.again(cue.at === "start" ? 0 : cue.at);
  }, [cue?.count]);
  if (reason !== null) return <p class="refusal stage">This cannot be played: {reason}</p>;
  if (view === null) {
    return (
      <figure class="race">
        <Stage>
          {above}
          <p class="note waiting">One moment: {formatPercent(racing.share)} played.</p>
        </Stage>
      </figure>
    );
  }
  const endLabels = race.policies.map(({ label }, policy) => {
    const count = isYardstick(race, policy) ? "" : stuckCount(view.tapes[policy]!.stuck);
    const more = race.seeds > 1 ? count && `stuck ${count}` : (status?.(view, policy) ?? "");
    return more === "" ? label : `${label}: ${more}`;
  });
  // A run on recorded losses is never judged: its dot would mean nothing.
  const isJudged = race.world.environment !== "replay";
  return (
    <figure class={`race ${stale === null ? "" : "stale"}`}>
      <Stage>
        {above}
        {stale !== null && <p class="refusal">Not played: {stale}. The chart shows the last race that could be played.</p>}
        <Transport racing={racing} rounds={race.rounds} />
        <RegretChart view={view} endLabels={endLabels} lit={shownLit} measure={measureOf(view)} {...(marks && { marks })} {...chart} />
        {below?.(view)}
        {race.seeds > 1 && isJudged && <RunDots view={view} lit={shownLit} onLight={setLit} />}
      </Stage>
      <div class="rest">
        <ArmShares view={view} arms={arms} lit={shownLit} />
        {view.failures.length > 0 && (
          <ul class="refusal">
            {view.failures.map((failure) => (
              <li key={failure}>{failure}</li>
            ))}
          </ul>
        )}
        <Reproduce name={name} race={race} racing={racing} />
      </div>
    </figure>
  );
}

/** What the vertical axis shows. Where the best arm stays the best, there is one regret only. */
function measureOf({ against, race }: RaceView): string {
  if (against === "round") return "regret against each round's best arm";
  return worldOf(race).gaps === undefined ? "regret against the best arm" : "regret";
}

/** The arms in the runs of all seeds, or of one seed: with what is true of each of these runs. `seed` counts from 0. */
export function armsOf(race: Race, given: readonly string[] | undefined, seed: number | null): ShownArm[] {
  try {
    const seeds = seed === null ? Array.from({ length: race.seeds }, (_, i) => i) : [seed];
    const [first, ...others] = seeds.map((each) => worldOf(race, each + 1)) as [Environment, ...Environment[]];
    return Array.from({ length: first.arms }, (_, arm) => {
      const [note, best] = [meanText(first, arm), isBest(first, arm)];
      // Some worlds draw from their seed which arm is the best.
      const isShared = others.every((other) => meanText(other, arm) === note && isBest(other, arm) === best);
      return { name: given?.[arm] ?? `arm ${arm + 1}`, note: isShared ? note : "", best: isShared && best };
    });
  } catch {
    // useRace has the reason.
    return [];
  }
}

/** The mean of an arm, if it stays: elsewhere it is that of some rounds only. */
function meanText(environment: Environment, arm: number): string {
  return environment.regime === "stochastic" ? `mean ${formatNumber(environment.mean(1, arm))}` : "";
}

/** Whether an arm is the best throughout; several are if they tie. */
function isBest({ gaps }: Environment, arm: number): boolean {
  return gaps?.[arm] === 0;
}
