import { useEffect, useMemo, useState } from "preact/hooks";
import { formatCount, formatNumber, formatPercent } from "tsallis/statistics";
import { useMedia } from "../../../common/useMedia.js";
import type { RaceView } from "../engine/engine.js";
import type { Race } from "../engine/race.js";
import { type Racing, useRace } from "../engine/useRace.js";
import { HandleSliders } from "../parts/handleSliders.js";
import { type Lit, RegretChart } from "../parts/regretChart.js";
import { Reproduce } from "../parts/reproduce.js";
import { DotNote, RunDots } from "../parts/runDots.js";
import { Scrub } from "../parts/scrub.js";
import { Stage } from "../parts/stage.js";
import { type Step, Steps } from "../parts/steps.js";
import { together } from "../parts/together.js";
import { Transport } from "../parts/transport.js";
import { useSteps } from "../parts/useSteps.js";
import { wantsLessMotion } from "../parts/wantsLessMotion.js";
import type { Handle, Handles } from "../state/handles.js";
import { ROUNDS, movingRace as raceAt, STILL_RACE } from "../state/worldPair.js";
import type { Scene, SceneProps } from "./scene.js";

const LEVEL: Handle = { name: "level", label: "The level of all losses moves by:", low: 0.5, high: 4, step: 0.5, initial: 2 };

/** Where the two charts are one above the other. The one that shows the claim is then the first. */
const NARROW = "(max-width: 47.9rem)";

/** The world that moves. */
function race({ level }: Handles): Race {
  return raceAt(level!);
}

function Body({ scene, handles, setHandles }: SceneProps) {
  const { cue, onStep } = useSteps(handles, setHandles);
  const level = handles.level!;
  const movingRace = useMemo(() => race({ level }), [level]);
  const settings = { speed: 10_000, atEnd: wantsLessMotion() };
  const still = useRace(STILL_RACE, settings);
  const moves = useRace(movingRace, settings);
  const both = together(still, moves);
  const [worst, setWorst] = useState(true);
  useEffect(() => {
    if (cue.count === 0) return;
    if (cue.at === "end" || wantsLessMotion()) both.to(ROUNDS);
    else both.again();
  }, [cue.count]);
  const isNarrow = useMedia(NARROW);
  const halves = [
    <Half key="still" title="Nothing moves" racing={still} worst={worst} />,
    <Half key="moves" title="The level moves" racing={moves} worst={worst} />,
  ];
  const steps: readonly Step[] = [
    {
      title: "One world stands still",
      at: "start",
      words: (
        <p>
          Two worlds, the same four arms, the same three policies, and 20 seeds each. Where nothing moves, every arm keeps its distribution. None of
          these runs is stuck there, and UCB1 and Thompson usually pay less than HTINF. The bold lines are {worst ? "the worst runs" : "the medians"}.
          Each chart has its own scale.
        </p>
      ),
    },
    {
      title: "In the other the level moves",
      handles: { level: 2 },
      at: "end",
      words: (
        <p>
          Here all losses rise by <Scrub handle={LEVEL} value={level} onChange={(next) => setHandles({ ...handles, level: next })} /> and fall again,
          in phases that grow longer, while arm 1 stays the best by 0.5. An average now depends on when an arm was tried, which can make arm 1 stand
          out or hide it. {both.view !== null && ucb1Words(moves.view!, still.view!)} {outcomeWords(moves.view)}
        </p>
      ),
    },
    {
      title: "What the median hides",
      at: "end",
      words: (
        <>
          <p>
            At the end HTINF has the highest median of the three in both worlds{worst ? "" : ": the medians are now the bold lines"}. What it buys
            with that is in the dots: none of its 20 runs is stuck in either world.
          </p>
          <p class="try">Try this: switch between worst runs and medians. Which of the two would you have shown your boss?</p>
        </>
      ),
    },
  ];
  return (
    <div class="scene">
      <Steps
        steps={steps}
        onStep={(step) => {
          // The last one is about medians.
          setWorst(step !== steps[2]);
          onStep(step);
        }}
      />
      <figure class="race">
        <Stage>
          <HandleSliders handles={scene.handles} values={handles} onChange={setHandles}>
            <label>
              <input type="checkbox" checked={worst} onChange={(event) => setWorst(event.currentTarget.checked)} /> worst run bold, not the median
            </label>
          </HandleSliders>
          {both.reason !== null && <p class="refusal">This cannot be played: {both.reason}</p>}
          {both.view === null ? (
            <p class="note waiting">One moment: {formatPercent(both.share)} played.</p>
          ) : (
            <>
              <Transport racing={both} rounds={ROUNDS} />
              <div class="pair">{isNarrow ? halves.reverse() : halves}</div>
              <DotNote />
            </>
          )}
        </Stage>
        <div class="rest">
          <Reproduce name={scene.name} race={movingRace} racing={moves} />
        </div>
      </figure>
    </div>
  );
}

interface HalfProps {
  readonly title: string;
  readonly racing: Racing;
  readonly worst: boolean;
}

function Half({ title, racing: { view }, worst }: HalfProps) {
  const [lit, setLit] = useState<Lit | null>(null);
  if (view === null) return null;
  const endLabels = view.race.policies.map(({ label }) => label);
  return (
    <section>
      <h3>
        {title}
        {worst && `: regret up to ${formatNumber(worstOf(view))}`}
      </h3>
      <RegretChart view={view} endLabels={endLabels} namesOnly scale="linear" worst={worst} lit={lit} measure="regret" />
      <RunDots view={view} lit={lit} onLight={setLit} hasNote={false} />
    </section>
  );
}

/** How the runs of a race ended: which are stuck, and how far those of each policy are from each other. */
export function outcomeWords(view: Played | null): string {
  if (view === null || view.round < view.race.rounds) return "At the end the dots show which runs are stuck.";
  const ends = view.race.policies.map(({ label }, policy) => {
    const { stuck, runs } = view.tapes[policy]!;
    const regrets = runs.map((run) => run.at(-1)!);
    const [least, most] = [Math.min(...regrets), Math.max(...regrets)].map((regret) => formatCount(Math.round(regret)));
    return { label, stuck: stuck.filter(Boolean).length, range: `${least} to ${most}` };
  });
  const stuck = ends.map(({ label, stuck: count }) => `${label} ${count}`).join(", ");
  const ranges = ends.map(({ label, range }) => `${label} ${range}`).join(", ");
  return `Of ${view.race.seeds} runs each, stuck at the end: ${stuck}. Their regret by then: ${ranges}.`;
}

type Played = Pick<RaceView, "race" | "tapes" | "round">;

/** What a moving level does to the typical run of UCB1 and to its worst one. */
export function ucb1Words(moves: Played, still: Played): string {
  if (moves.round < moves.race.rounds || still.round < still.race.rounds) return "";
  const [here, there] = [moves, still].map(({ race, tapes }) => {
    const { runs, median } = tapes[race.policies.findIndex(({ label }) => label === "UCB1")]!;
    return { median: formatNumber(median.at(-1)!), worst: formatCount(Math.round(Math.max(...runs.map((run) => run.at(-1)!)))) };
  }) as [{ median: string; worst: string }, { median: string; worst: string }];
  return `UCB1's median here is ${here.median}, and ${there.median} where nothing moves; its worst run pays ${here.worst}, and ${there.worst} there.`;
}

/** The largest regret of all runs so far. */
function worstOf(view: RaceView | null): number {
  const tapes = view?.tapes ?? [];
  return Math.max(0, ...tapes.flatMap(({ runs }) => runs.map((run) => run.findLast((value) => value !== null) ?? 0)));
}

export const TWO_WORLDS: Scene = {
  name: "two-worlds",
  title: "Two worlds, one algorithm",
  short: "Two worlds",
  claim: "HTINF does not know in which of two worlds it plays, and none of its runs is stuck in either.",
  counted: "In 40 runs with other seeds, stuck where nothing moves: HTINF 0, UCB1 0, Thompson 1; where the level moves: HTINF 0, UCB1 7, Thompson 6.",
  handles: [LEVEL],
  race,
  Body,
};
