import { createEnvironment } from "tsallis";
import { formatNumber } from "tsallis/statistics";
import { Scroller } from "../../../common/scroller.js";
import type { RaceView } from "../engine/engine.js";
import type { Race } from "../engine/race.js";
import { RaceFigure } from "../parts/raceFigure.js";
import type { Handles } from "../state/handles.js";
import type { Scene, SceneProps } from "./scene.js";

const ARMS = [
  { distribution: "lomax", shape: 1.8, scale: 0.8 },
  { distribution: "lomax", shape: 1.8, scale: 1.6 },
];
const ALPHA = 1.5;
/** The round in which every loss is larger by the handle's factor. */
const BOMB = 500;

function race({ size }: Handles): Race {
  // What HTINF may be told of the world as it is in all rounds but one.
  const { sigma } = createEnvironment({ environment: "stochastic", alpha: ALPHA, arms: ARMS }, 1);
  return {
    world: { environment: "scale-bomb", alpha: ALPHA, arms: ARMS, from: BOMB, until: BOMB, factor: 10 ** size! },
    policies: [
      { label: "HTINF skips", spec: { policy: "htinf", alpha: ALPHA, sigma: sigma() } },
      { label: "MatchedTINF clips", spec: { policy: "matched-tinf" } },
      { label: "Tsallis-INF takes all", spec: { policy: "tsallis-inf" } },
    ],
    seeds: 9,
    rounds: 1_500,
  };
}

function Body({ scene, handles }: SceneProps) {
  return (
    <>
      <RaceFigure name={scene.name} race={race(handles)} scale="linear" speed={100} below={(view) => <Thresholds view={view} />} />
      <p class="words">
        In round {BOMB} every loss is {formatNumber(10 ** handles.size!)} times what it would have been, once. HTINF has a threshold for each arm, r =
        Θ η<sup>−1</sup> x<sup>1/α</sup>: it grows with the rounds played and shrinks for arms that are seldom played, because their losses are
        divided by a small probability. A loss beyond it counts as 0. What is lost by that is paid for in the theorem: the skipped part is small on
        average.
      </p>
      <p class="words">
        A policy that takes every loss as it comes adds the monster, divided by the probability, to the estimate of the arm that was played. That was
        most likely the good one. It will not be played again until the others have caught up.
      </p>
      <p class="words try">
        Try this: begin at a factor of 1 and turn it up. From which size on does Tsallis-INF lose the good arm, and what do the other two notice of
        it?
      </p>
    </>
  );
}

/** From which size on HTINF would skip the next loss of each arm. */
function Thresholds({ view }: { readonly view: RaceView }) {
  const { thresholds = null, probabilities = null, skipped = 0 } = view.live[0] ?? {};
  if (thresholds === null) return null;
  return (
    <Scroller label="Thresholds of HTINF">
      <table>
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
  claim: "A policy that skips or clips what is too large forgets one monstrous loss at once, and one that takes all losses as they come does not.",
  handles: [{ name: "size", label: "factor of the one loss", low: 0, high: 6, step: 0.5, initial: 4, show: (value) => formatNumber(10 ** value) }],
  race,
  Body,
};
