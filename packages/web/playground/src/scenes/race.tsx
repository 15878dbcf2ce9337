import { useEffect, useMemo, useState } from "preact/hooks";
import { formatCount, formatNumber } from "tsallis/statistics";
import type { RaceView } from "../engine/engine.js";
import { withMovedLoss } from "../engine/movedLoss.js";
import { type Race, worldOf } from "../engine/race.js";
import { useRace } from "../engine/useRace.js";
import { HandleSliders } from "../parts/handleSliders.js";
import { LossStrip } from "../parts/lossStrip.js";
import { RaceFigure } from "../parts/raceFigure.js";
import { raceStatus } from "../parts/raceStatus.js";
import { lastShown } from "../parts/regretChart.js";
import type { RoundMark } from "../parts/roundMarks.js";
import { Scrub } from "../parts/scrub.js";
import { type Step, Steps } from "../parts/steps.js";
import { useSteps } from "../parts/useSteps.js";
import type { Handle, Handles } from "../state/handles.js";
import type { Scene, SceneProps } from "./scene.js";

const SAFE = { distribution: "uniform", low: 0.3, high: 1.3 };
/** Mostly far below its mean of 0.5, and with infinite variance. */
const GOOD = { distribution: "lomax", shape: 1.3, scale: 0.15 };
const BEST = 3;
const ROUNDS = 5_000;
/** The losses of seed 1 that decide: 185 in round 116, 1,939 in round 1,082. */
const DECISIVE = [116, 1_082] as const;
const HUGE = 150;
const WORLD = { environment: "stochastic", alpha: 1.25, arms: [SAFE, SAFE, SAFE, GOOD] };
const REST_MS = 150;
/** A policy that leaves the best arm within so many rounds of a huge loss leaves it because of that. */
const SOON = 25;

const SEEDS: Handle = { name: "seeds", label: "Seeds", low: 1, high: 20, step: 1, initial: 1 };

function race({ seeds }: Handles): Race {
  return {
    world: WORLD,
    policies: [
      { label: "HTINF", spec: { policy: "htinf", alpha: "promised", sigma: "promised" } },
      { label: "MatchedTINF", spec: { policy: "matched-tinf" } },
      { label: "UCB1", spec: { policy: "ucb1" } },
      { label: "Thompson", spec: { policy: "thompson", sigma: 1 } },
      { label: "EXP3", spec: { policy: "exp3" } },
    ],
    seeds: Math.round(seeds!),
    rounds: ROUNDS,
  };
}

function Body({ scene, handles, setHandles }: SceneProps) {
  const played = race(handles);
  const { cue, onStep } = useSteps(handles, setHandles);
  const isOne = played.seeds === 1;
  const world = useMemo(() => worldOf({ world: WORLD, rounds: ROUNDS }), []);
  const [to, setTo] = useState<number | null>(DECISIVE[0]);
  const losses = useMemo(() => {
    const { loss } = withMovedLoss(world, { arm: BEST, round: DECISIVE[0], to });
    return Array.from({ length: ROUNDS }, (_, i) => loss(i + 1, BEST));
  }, [to]);
  const marks = useMemo(() => marksOf(to), [to]);
  const moved = useResting(to);
  const isMoved = isOne && moved !== DECISIVE[0];
  const alone = useMemo(() => race({ seeds: 1 }), []);
  const { view: other } = useRace(isMoved ? alone : null, {
    speed: Number.POSITIVE_INFINITY,
    atEnd: true,
    moved: { arm: BEST, round: DECISIVE[0], to: moved },
  });
  const steps: readonly Step[] = [
    {
      title: "One loss",
      handles: { seeds: 1 },
      at: "start",
      words: (
        <p>
          Five policies choose among four arms. Arm 4 is the best: it costs 0.5 on average, usually much less, and very rarely a fortune. With seed 1
          it costs 185 in round 116, and all five play it. In the averages of UCB1 and Thompson it is now the worst arm by far. They do not play it
          again: their regret, the expected cost beyond always playing arm 4, turns into a straight line. EXP3 needs until about round 600 to come
          back.
        </p>
      ),
    },
    {
      title: "A loss ten times as large",
      handles: { seeds: 1 },
      at: DECISIVE[1] - 40,
      words: (
        <p>
          In round 1,082 arm 4 costs 1,939. UCB1 and Thompson have long left it. EXP3 is thrown off again, and is back only after round 3,500. HTINF
          skips a loss that large and MatchedTINF cuts it off: both play arm 4 in that round, and their lines do not move.
        </p>
      ),
    },
    {
      title: "Was that bad luck?",
      handles: { seeds: 20 },
      at: "end",
      words: (
        <>
          <p>
            World and seed were picked so that one loss decides early. The number of seeds is now{" "}
            <Scrub handle={SEEDS} value={handles.seeds!} onChange={(seeds) => setHandles({ ...handles, seeds })} />. With 20, the thick lines are
            medians, and those of UCB1 and Thompson look harmless. Below the chart each run is then a dot, a full one if it is stuck.
          </p>
          <p class="try">Try this: with 20 seeds, go along the dots of UCB1 with the mouse or the arrow keys. Each lights its run in the chart.</p>
        </>
      ),
    },
  ];
  return (
    <div class="scene">
      <Steps steps={steps} onStep={onStep} />
      <RaceFigure
        name={scene.name}
        race={played}
        scale="linear"
        speed={200}
        cue={cue}
        {...(isOne && { marks, status: raceStatus })}
        other={isMoved ? other : null}
        above={<HandleSliders handles={scene.handles} values={handles} onChange={setHandles} />}
        below={(view) =>
          isOne && (
            <>
              <LossStrip
                name="loss of arm 4"
                losses={losses}
                round={view.round}
                last={lastShown(view)}
                huge={HUGE}
                spike={{ size: world.loss(DECISIVE[0], BEST), from: DECISIVE[0], to }}
                onMove={setTo}
              />
              <p class="undo">
                <button
                  type="button"
                  aria-disabled={view.round < DECISIVE[0]}
                  onClick={() => view.round < DECISIVE[0] || setTo(to === null ? DECISIVE[0] : null)}
                >
                  {to === null ? "Put that loss back" : "Undo that loss"}
                </button>{" "}
                <span aria-live="polite">
                  {isMoved && other !== null && other.round === ROUNDS ? changeWords(other, moved) : "or drag its handle to another round."}
                </span>
              </p>
            </>
          )
        }
      />
    </div>
  );
}

/** The rounds that decide, with the first one's loss moved. */
export function marksOf(to: number | null): readonly RoundMark[] {
  const [first, second] = DECISIVE;
  const mark = (round: number) => ({ round, words: `round ${formatCount(round)}` });
  if (to === null) return [{ round: first, words: "undone", isGhost: true }, mark(second)];
  const ghost = to === first ? [] : [{ round: first, words: "", isGhost: true }];
  return [...ghost, mark(to), mark(second)].sort((a, b) => a.round - b.round);
}

/** A value once it has not changed for a moment. */
function useResting<Value>(value: Value): Value {
  const [rested, setRested] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setRested(value), REST_MS);
    return () => clearTimeout(timer);
  }, [value]);
  return rested;
}

/** The last checkpoint up to which a policy's first seed had played the best arm once more. */
function lastPlay({ tapes, checkpoints }: Pick<RaceView, "tapes" | "checkpoints">, policy: number): number {
  const { best } = tapes[policy]!;
  return checkpoints[best.indexOf(best.at(-1)!)] ?? Number.POSITIVE_INFINITY;
}

/** What the other race ends with, and which loss fools whom in it. */
export function changeWords(other: Pick<RaceView, "race" | "tapes" | "checkpoints">, to: number | null): string {
  const { policies, rounds } = other.race;
  const regretOf = (policy: number) => other.tapes[policy]!.median.at(-1) ?? 0;
  const ends = policies.map(({ label }, policy) => `${label} ${formatNumber(regretOf(policy))}`);
  const lastPlays = policies.map((_, policy) => lastPlay(other, policy));
  const culprits = [...new Set([to, DECISIVE[1]])].filter((round) => round !== null).sort((a, b) => b - a);
  const foolers = policies.map((_, policy) => {
    const last = lastPlays[policy]!;
    return last > rounds / 2 ? undefined : culprits.find((round) => last >= round && last < round + SOON);
  });
  const byWhom = [...culprits].reverse().flatMap((round) => {
    const labels = policies.filter((_, policy) => foolers[policy] === round).map(({ label }) => label);
    return labels.length === 0 ? [] : [`The loss of round ${formatCount(round)} then fools ${labels.join(" and ")}.`];
  });
  return [`${to === null ? "Without it" : `In round ${formatCount(to)} instead`}, dotted; regret at the end: ${ends.join(", ")}.`, ...byWhom].join(
    " ",
  );
}

export const RACE_SCENE: Scene = {
  name: "race",
  title: "The race",
  short: "Race",
  claim: "Where losses have infinite variance, one unlucky loss is enough to fool a method that trusts averages.",
  counted: "In 40 runs with other seeds, stuck: HTINF 0, MatchedTINF 0, UCB1 16, Thompson 16, EXP3 2.",
  handles: [SEEDS],
  race,
  Body,
};
