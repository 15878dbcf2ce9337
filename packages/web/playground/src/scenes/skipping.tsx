import { createEnvironment } from "tsallis";
import { formatCount, formatNumber } from "tsallis/statistics";
import { tickText } from "../../../common/axis.js";
import { Scroller } from "../../../common/scroller.js";
import type { RaceView } from "../engine/engine.js";
import type { Race } from "../engine/race.js";
import { HandleSliders } from "../parts/handleSliders.js";
import { RaceFigure } from "../parts/raceFigure.js";
import { Scrub } from "../parts/scrub.js";
import { type Step, Steps } from "../parts/steps.js";
import { useSteps } from "../parts/useSteps.js";
import type { Handle, Handles } from "../state/handles.js";
import type { Scene, SceneProps } from "./scene.js";

const ARMS = [
  { distribution: "lomax", shape: 1.8, scale: 0.8 },
  { distribution: "lomax", shape: 1.8, scale: 1.6 },
];
/** Between their means. */
const GAP = 1;
const ALPHA = 1.5;
/** The round in which every loss is larger by the handle's factor. */
const BOMB = 500;
const MARKS = [{ round: BOMB, words: `round ${BOMB}` }];

const SIZE: Handle = {
  name: "size",
  label: "Factor of the one loss",
  low: 0,
  high: 6,
  step: 0.5,
  initial: 4,
  show: (value) => tickText(10 ** value),
};

function race({ size }: Handles): Race {
  // What is true of the world in all rounds but one.
  const { sigma } = createEnvironment({ environment: "stochastic", alpha: ALPHA, arms: ARMS }, 1);
  return {
    world: { environment: "scale-bomb", alpha: ALPHA, arms: ARMS, from: BOMB, until: BOMB, factor: 10 ** size! },
    policies: [
      { label: "HTINF", spec: { policy: "htinf", alpha: ALPHA, sigma: sigma() } },
      { label: "MatchedTINF", spec: { policy: "matched-tinf" } },
      { label: "Tsallis-INF", spec: { policy: "tsallis-inf" } },
    ],
    seeds: 20,
    rounds: 1_500,
  };
}

function Body({ scene, handles, setHandles }: SceneProps) {
  const { cue, onStep } = useSteps(handles, setHandles);
  const size = <Scrub handle={SIZE} value={handles.size!} onChange={(value) => setHandles({ ...handles, size: value })} />;
  const steps: readonly Step[] = [
    {
      title: "One round is different",
      handles: { size: 4 },
      at: BOMB - 60,
      words: (
        <p>
          In round {BOMB} every loss is {size} times what it would have been, once. With a factor of 10,000, most runs of Tsallis-INF then lose the
          good arm: the loss, divided by a probability, is added to the estimate of the arm that was played. That was most likely the good one, and it
          is not played again until the other one has caught up. No policy is spared the price of the worse arm in that round: the sentence below the
          chart says whose runs pay it.
        </p>
      ),
    },
    {
      title: "A threshold for each arm",
      handles: { size: 6 },
      at: "end",
      words: (
        <p>
          HTINF skips a loss above Θ η<sup>−1</sup> x<sup>1/α</sup>, where x is the probability of the arm, η the learning rate and Θ a constant. This
          threshold grows with the rounds played, as η falls, and is smaller for an arm that is seldom played, because its losses are divided by a
          small probability. The table below the chart has the thresholds of the next round. MatchedTINF does not skip such a loss, it cuts it off.
          Even a factor of 1,000,000 then changes nothing in what the two learn.
        </p>
      ),
    },
    {
      title: "How large is too large?",
      handles: { size: 1 },
      at: "end",
      words: (
        <>
          <p>
            Up to a factor of 100 caution is not needed, and costs something: HTINF's median is about three times that of Tsallis-INF. MatchedTINF's
            is about the same.
          </p>
          <p class="try">
            Try this: turn the factor, now {size}, up from 10 step by step. From which size on does Tsallis-INF lose the good arm, and in how many
            runs?
          </p>
        </>
      ),
    },
  ];
  return (
    <div class="scene">
      <Steps steps={steps} onStep={onStep} />
      <RaceFigure
        name={scene.name}
        race={race(handles)}
        scale="linear"
        speed={1_000}
        most={2_000}
        cue={cue}
        marks={MARKS}
        above={<HandleSliders handles={scene.handles} values={handles} onChange={setHandles} />}
        below={(view) => (
          <>
            <p>{priceWords(view)}</p>
            <Thresholds view={view} />
          </>
        )}
      />
    </div>
  );
}

/** Which runs played the worse arm in the round with the huge loss, and what all of them paid on average: medians hide these runs. */
export function priceWords({ race, tapes, checkpoints, round }: Pick<RaceView, "race" | "tapes" | "checkpoints" | "round">): string {
  if (round < race.rounds) return `At the end it says here which runs played the worse arm in round ${BOMB}.`;
  const price = Number(race.world.factor) * GAP;
  const listed = (value: (policy: number) => number) => race.policies.map(({ label }, policy) => `${label} ${formatCount(value(policy))}`).join(", ");
  const means = listed((policy) => Math.round(tapes[policy]!.runs.reduce((sum, run) => sum + run.at(-1)!, 0) / race.seeds));
  const words = `Mean regret at the end: ${means}.`;
  const after = checkpoints.findIndex((each) => each >= BOMB);
  // Between two checkpoints the other rounds may cost as much as a small factor.
  if (price <= (checkpoints[after]! - checkpoints[after - 1]!) * GAP) return words;
  const paying = listed((policy) => tapes[policy]!.runs.filter((run) => run[after]! - run[after - 1]! > 0.99 * price).length);
  return `Of ${race.seeds} runs each, those that played arm 2 in round ${BOMB} paid ${formatCount(price)} for it: ${paying}. ${words}`;
}

/** From which size on HTINF would skip the next loss of each arm. */
function Thresholds({ view }: { readonly view: RaceView }) {
  const { thresholds = null, probabilities = null, skipped = 0 } = view.live[0] ?? {};
  if (thresholds === null) return null;
  return (
    <Scroller label="Thresholds of HTINF">
      <table class="compact">
        <thead>
          <tr>
            <th scope="col">HTINF, first seed; skipped so far: {skipped}</th>
            <th scope="col">probability</th>
            <th scope="col">skips losses above</th>
          </tr>
        </thead>
        <tbody>
          {thresholds.map((threshold, arm) => (
            <tr key={ARMS[arm]!.scale}>
              <th scope="row">arm {arm + 1}</th>
              <td>{probabilities === null ? "–" : formatNumber(probabilities[arm]!)}</td>
              <td>{formatNumber(threshold)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </Scroller>
  );
}

export const SKIPPING: Scene = {
  name: "skipping",
  title: "Skipping",
  short: "Skipping",
  claim:
    "One huge loss can cost a policy the good arm, unless it skips or clips that loss; but a run that plays the worse arm in that round pays for it in any case.",
  counted:
    "In 40 runs with other seeds and a factor of 10,000, stuck: HTINF 1, MatchedTINF 0, Tsallis-INF 28; paying 10,000 in round 500: HTINF 5, MatchedTINF 0, Tsallis-INF 1.",
  handles: [SIZE],
  race,
  Body,
};
