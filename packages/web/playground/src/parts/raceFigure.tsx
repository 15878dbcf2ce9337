import type { ComponentChildren } from "preact";
import { useMemo } from "preact/hooks";
import { formatNumber } from "tsallis/statistics";
import type { Against, RaceView } from "../engine/engine.js";
import { keyOf, type Race, worldOf } from "../engine/race.js";
import { useRace } from "../engine/useRace.js";
import { ArmShares } from "./armShares.js";
import { type Curve, RegretChart } from "./regretChart.js";
import { Repeat } from "./repeat.js";
import { Transport } from "./transport.js";

interface Props {
  /** For file names. */
  readonly name: string;
  readonly race: Race;
  readonly scale: "linear" | "log";
  readonly curves?: readonly Curve[];
  /** Rounds per second at the beginning. */
  readonly speed: number;
  /** The best single arm if left out. */
  readonly against?: Against;
  /** What a scene shows besides, below the chart. */
  readonly below?: (view: RaceView) => ComponentChildren;
}

/** A race with all that belongs to it: its controls, the regret, where the rounds went, and how to repeat it. */
export function RaceFigure({ name, race: wanted, scale, curves, speed, against = "arm", below }: Props) {
  const racing = useRace(wanted, speed, !matchMedia("(prefers-reduced-motion: reduce)").matches, against);
  // Another race is shown as soon as it has begun; until then this is still the one before.
  const race = racing.view?.race ?? wanted;
  const labels = race.policies.map(({ label }) => label);
  const { names, best } = useMemo(() => armsOf(race), [keyOf(race)]);
  const { view, reason } = racing;
  if (reason !== null) return <p class="refusal">This cannot be played: {reason}</p>;
  if (view === null) return <p class="note">One moment.</p>;
  return (
    <figure class="race">
      <Transport racing={racing} rounds={race.rounds} />
      <RegretChart
        view={view}
        labels={labels}
        scale={scale}
        {...(curves && { curves })}
        rounds={race.rounds}
        band={race.seeds > 1}
        measure={against === "arm" ? "pseudo-regret" : "regret against each round's best arm"}
      />
      {below?.(view)}
      <ArmShares view={view} labels={labels} arms={names} best={best} />
      {view.failures.length > 0 && (
        <ul class="refusal">
          {view.failures.map((failure) => (
            <li key={failure}>{failure}</li>
          ))}
        </ul>
      )}
      <Repeat name={name} race={race} racing={racing} />
    </figure>
  );
}

/** The arms, with their means if these stay, and which one is best throughout. */
function armsOf(race: Race): { names: string[]; best: number } {
  try {
    const environment = worldOf(race);
    const { regime, gaps } = environment;
    // Elsewhere a mean is that of some rounds only.
    const mean = (arm: number) => (regime === "stochastic" ? `, mean ${formatNumber(environment.mean(1, arm))}` : "");
    const names = Array.from({ length: environment.arms }, (_, arm) => `arm ${arm + 1}${mean(arm)}`);
    return { names, best: gaps?.indexOf(0) ?? -1 };
  } catch {
    // useRace has the reason.
    return { names: [], best: -1 };
  }
}
