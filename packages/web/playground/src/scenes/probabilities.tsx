import { useState } from "preact/hooks";
import { formatCount, formatPercent } from "tsallis/statistics";
import { Scroller } from "../../../common/scroller.js";
import { seriesStyle } from "../../../common/seriesStyle.js";
import { Swatch } from "../../../common/swatch.js";
import type { Race } from "../engine/race.js";
import { Simplex } from "../parts/simplex.js";
import { softmaxProbabilities, tsallisProbabilities } from "../parts/tsallisProbabilities.js";
import type { Handles } from "../state/handles.js";
import type { Scene, SceneProps } from "./scene.js";

const RULES = ["Tsallis", "softmax"] as const;
const MOST_ESTIMATE = 20;

/** The two rules as policies, in a world of three arms. */
function race({ alpha }: Handles): Race {
  const lomax = (scale: number) => ({ distribution: "lomax", shape: 2.2, scale });
  return {
    world: { environment: "stochastic", alpha: alpha!, arms: [lomax(1), lomax(1.5), lomax(2)] },
    policies: [
      { label: "Tsallis", spec: { policy: "htinf", alpha: "promised", sigma: "promised" } },
      { label: "softmax", spec: { policy: "exp3" } },
    ],
    seeds: 1,
    rounds: 10_000,
  };
}

function Body({ handles }: SceneProps) {
  const [estimates, setEstimates] = useState<readonly number[]>([0, 4, 16]);
  const move = (moved: number, to: number) => setEstimates(estimates.map((estimate, arm) => (arm === moved ? to : estimate)));
  const rate = 10 ** handles.rate!;
  const probabilities = [tsallisProbabilities(estimates, rate, handles.alpha!), softmaxProbabilities(estimates, rate)];
  return (
    <>
      <p class="words">
        A policy of this family keeps an estimate of what each arm has cost so far. From the estimates it makes probabilities, and draws the next arm
        by them. Move the estimates and see what two rules make of them, at the same learning rate.
      </p>
      <figure class="probabilities">
        <div>
          {estimates.map((estimate, arm) => (
            <label class="slider" key={arm}>
              <span>
                estimated loss of arm {arm + 1} <b aria-hidden="true">{estimate.toFixed(1)}</b>
              </span>
              <input
                type="range"
                min={0}
                max={MOST_ESTIMATE}
                step={0.1}
                value={estimate}
                onInput={(event) => move(arm, Number(event.currentTarget.value))}
              />
            </label>
          ))}
          <Scroller label="Probability of each arm">
            <table class="shares">
              <thead>
                <tr>
                  <th scope="col">probability of</th>
                  {estimates.map((_, arm) => (
                    <th scope="col" key={arm}>
                      arm {arm + 1}
                    </th>
                  ))}
                </tr>
              </thead>
              <tbody>
                {RULES.map((name, i) => (
                  <tr key={name}>
                    <th scope="row">
                      <span class="swatched">
                        <Swatch style={seriesStyle(i)} />
                        {name}
                      </span>
                    </th>
                    {probabilities[i]!.map((share, arm) => (
                      <td key={arm}>
                        <span class="bar" aria-hidden="true" style={{ width: `${100 * share}%` }} />
                        <span class="value">{shown(share)}</span>
                      </td>
                    ))}
                  </tr>
                ))}
              </tbody>
            </table>
          </Scroller>
        </div>
        <Simplex
          names={["arm 1", "arm 2", "arm 3"]}
          points={RULES.map((name, i) => ({ name, style: seriesStyle(i), probabilities: probabilities[i]! }))}
        />
      </figure>
      <p class="words">
        Under the Tsallis rule an arm's probability falls like a power of its lag: x = (h / gap)<sup>q</sup>, with q = α / (α − 1). Twice the lag, a
        quarter of the probability at α = 2. Under softmax it falls exponentially: twice the lag, the square of a small number. An arm that was
        unlucky once, and with heavy tails every arm is, stays alive under the first rule and starves under the second.
      </p>
      <p class="words try">
        Try this: put arm 3 at 20, and turn the learning rate up. How many rounds pass, under each rule, before arm 3 is tried again?
      </p>
    </>
  );
}

/** A small probability as the number of rounds from one try to the next. */
function shown(share: number): string {
  return share < 0.01 ? `1 in ${formatCount(Number((1 / share).toPrecision(2)))}` : formatPercent(share);
}

export const PROBABILITIES: Scene = {
  name: "probabilities",
  title: "The probabilities of the arms",
  claim: "The Tsallis entropy keeps every arm alive, where softmax starves the ones that had bad luck.",
  handles: [
    { name: "rate", label: "learning rate", low: -1.5, high: 0.7, step: 0.05, initial: 0, show: (value) => (10 ** value).toFixed(2) },
    { name: "alpha", label: "alpha", low: 1.1, high: 2, step: 0.05, initial: 1.5, show: (value) => value.toFixed(2) },
  ],
  race,
  Body,
};
