import { createEnvironment } from "tsallis";
import { formatNumber } from "tsallis/statistics";
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
          is not played again until the other one has caught up. (At that factor, a run that plays the worse arm in round 500 itself pays so much that
          it leaves the chart.)
        </p>
      ),
    },
    {
      title: "A threshold for each arm",
      handles: { size: 4 },
      at: "end",
      words: (
        <p>
          HTINF skips a loss above Θ η<sup>−1</sup> x<sup>1/α</sup>, where x is the probability of the arm, η the learning rate and Θ a constant. This
          threshold grows with the rounds played, as η falls, and is smaller for an arm that is seldom played, because its losses are divided by a
          small probability. The table below the chart has the thresholds of the next round. MatchedTINF does not skip such a loss, it cuts it off.
        </p>
      ),
    },
    {
      title: "How large is too large?",
      handles: { size: 1 },
      at: "end",
      words: (
        <p class="try">
          Try this: turn the factor, now {size}, up from 10 step by step. From which size on does Tsallis-INF lose the good arm, and what do the other
          two notice of it?
        </p>
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
        below={(view) => <Thresholds view={view} />}
      />
    </div>
  );
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
    "A policy that skips or clips what is too large hardly notices one huge loss, and one that takes all losses as they come usually loses the good arm.",
  counted: "In 40 runs with other seeds and a factor of 10,000, stuck: HTINF 1, MatchedTINF 0, Tsallis-INF 28.",
  handles: [SIZE],
  race,
  Body,
};
