import { useMemo } from "preact/hooks";
import { formatPercent, powerOfTen } from "tsallis/statistics";
import { tickText } from "../../../common/axis.js";
import { Scroller } from "../../../common/scroller.js";
import { seriesStyle } from "../../../common/seriesStyle.js";
import { Swatch } from "../../../common/swatch.js";
import { unbroken } from "../../../common/unbroken.js";
import type { Race } from "../engine/race.js";
import { sharePercent } from "../parts/armShares.js";
import { HandleSliders } from "../parts/handleSliders.js";
import { LinesChart } from "../parts/linesChart.js";
import { Scrub } from "../parts/scrub.js";
import { Stage } from "../parts/stage.js";
import { type Step, Steps } from "../parts/steps.js";
import { useSteps } from "../parts/useSteps.js";
import type { Handle, Handles } from "../state/handles.js";
import { BEFORE, LEADER, probabilitiesAfter } from "../state/unluckyArm.js";
import type { Scene, SceneProps } from "./scene.js";

const RULES = ["Tsallis", "softmax"] as const;
const MOST_ROUNDS = 1e15;
/** Where the mean wait is longer, the arm is tried within a million rounds in fewer than one of ten cases. */
const TOO_LONG = 1e7;

const sizeOf = (power: number) => Number((10 ** power).toPrecision(2));
/** The sizes of the chart: one for each place of the handle. */
const SIZES = Array.from({ length: 81 }, (_, i) => sizeOf(-1 + i / 20));
const SIZE: Handle = {
  name: "size",
  label: "Unlucky loss of arm 3:",
  low: -1,
  high: 3,
  step: 0.05,
  initial: 1,
  show: (power) => tickText(sizeOf(power)),
};
const ALPHA: Handle = { name: "alpha", label: "α:", low: 1.1, high: 2, step: 0.05, initial: 1.5, show: (value) => value.toFixed(2) };

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

function Body({ scene, handles, setHandles }: SceneProps) {
  const { onStep } = useSteps(handles, setHandles);
  const alpha = handles.alpha!;
  const size = sizeOf(handles.size!);
  const lines = useMemo(() => {
    const waits = SIZES.map((each) => probabilitiesAfter(each, alpha).map((probabilities) => waitOf(probabilities[2]!)));
    return RULES.map((name, rule) => ({ name, style: seriesStyle(rule), values: waits.map((wait) => wait[rule]!) }));
  }, [alpha]);
  const now = probabilitiesAfter(size, alpha);
  const scrub = (handle: Handle) => (
    <Scrub handle={handle} value={handles[handle.name]!} onChange={(value) => setHandles({ ...handles, [handle.name]: value })} />
  );
  const steps: readonly Step[] = [
    {
      title: "Arm 3 is unlucky",
      handles: { size: 1, alpha: 1.5 },
      at: "start",
      words: (
        <>
          <p>
            Some policies estimate what each arm has cost, and draw the next arm from probabilities that they compute from these estimates: EXP3 by
            the softmax rule, HTINF by another, which comes from the Tsallis entropy. Here both rules start from the same probabilities:{" "}
            {unbroken(formatPercent(LEADER))} for the leader, arm 1, and a tenth each for arms 2 and 3. At the left edge of the chart, where the
            unlucky loss is small, the two lines meet.
          </p>
          <p>
            Then one loss adds {scrub(SIZE)} to the estimate of arm 3. If nothing else changes, the Tsallis rule tries the arm again after{" "}
            {unbroken(waitText(now[0]![2]!))} rounds, and softmax after {unbroken(waitText(now[1]![2]!))}. {practiceWords(now[0]![2]!, now[1]![2]!)}{" "}
            With heavy tails every arm has such a loss sooner or later.
          </p>
        </>
      ),
    },
    {
      title: "A power, not an exponential",
      handles: { size: 2, alpha: 1.2 },
      at: "start",
      words: (
        <>
          <p>
            The gap of an arm is how far its estimate is above the leader's. Under the Tsallis rule the wait grows like gap<sup>q</sup> with{" "}
            {"q\u00a0=\u00a0α\u00a0/\u00a0(α\u00a0−\u00a01)"}. Here α{"\u00a0"}= {scrub(ALPHA)} and q{"\u00a0"}={"\u00a0"}
            {tickText(alpha / (alpha - 1))}. Under softmax it grows exponentially, which is faster than any power. But heavier tails need a smaller α,
            and the smaller it is, the longer the Tsallis rule waits: after a loss of {tickText(size)} {unbroken(waitText(now[0]![2]!))} rounds.{" "}
            {practiceWords(now[0]![2]!, now[1]![2]!)}
          </p>
          <p class="try">Try this: move α from end to end. Which rule does the Tsallis rule come close to when it is small?</p>
        </>
      ),
    },
  ];
  return (
    <div class="scene">
      <Steps steps={steps} onStep={onStep} />
      <figure class="race">
        <Stage>
          <HandleSliders handles={scene.handles} values={handles} onChange={setHandles} />
          <LinesChart
            label="Rounds until arm 3 is tried again"
            x="unlucky loss"
            y="rounds until arm 3 is tried again"
            at={SIZES}
            lines={lines}
            range={[1, MOST_ROUNDS]}
            here={Math.round((handles.size! + 1) * 20)}
            log
            where={(loss) => `After a loss of ${loss}`}
          />
          <Scroller label="Probability of each arm">
            <table class="shares">
              <thead>
                <tr>
                  <th scope="col">probability after a loss of {tickText(size)}</th>
                  {BEFORE.map((_, arm) => (
                    <th scope="col" key={arm}>
                      arm {arm + 1}
                    </th>
                  ))}
                </tr>
              </thead>
              <tbody>
                {RULES.map((name, rule) => (
                  <tr key={name}>
                    <th scope="row">
                      <span class="swatched">
                        <Swatch style={seriesStyle(rule)} line />
                        {name}
                      </span>
                    </th>
                    {now[rule]!.map((share, arm) => (
                      <td key={arm}>
                        <span class="bar" aria-hidden="true" style={{ width: `${100 * share}%` }} />
                        {probabilityText(share)}
                      </td>
                    ))}
                  </tr>
                ))}
              </tbody>
            </table>
          </Scroller>
        </Stage>
      </figure>
    </div>
  );
}

/** The mean number of rounds until something of that probability happens, with three digits. */
function waitOf(probability: number): number {
  return Number((1 / probability).toPrecision(3));
}

export function waitText(probability: number): string {
  const rounds = waitOf(probability);
  return rounds > MOST_ROUNDS ? `more than ${powerOfTen(Math.log10(MOST_ROUNDS))}` : `about ${tickText(rounds)}`;
}

/** Who has little hope of trying the arm again. The Tsallis rule never waits longer than softmax. */
export function practiceWords(tsallis: number, softmax: number): string {
  if (waitOf(tsallis) > TOO_LONG) return "A million rounds are most likely not enough for either of them.";
  if (waitOf(softmax) > TOO_LONG) return "A million rounds are most likely not enough for softmax.";
  return "";
}

/** In percent; a probability too small for that with its power of ten, and one too small for double precision as a bound. */
export function probabilityText(probability: number): string {
  if (probability >= 0.0005) return sharePercent(probability);
  if (probability === 0) return `< ${powerOfTen(-300)}`;
  const [digits, exponent] = probability.toExponential(1).split("e");
  return `${digits} × ${powerOfTen(Number(exponent))}`;
}

export const PROBABILITIES: Scene = {
  name: "probabilities",
  title: "Probabilities",
  short: "Probabilities",
  claim: "The Tsallis rule tries an unlucky arm again where softmax starves it, but the smaller α is, the longer that takes.",
  counted:
    "With α = 1.5 and an unlucky loss of 10, the arm is tried again within 10,000 rounds in 988 of 1,000 draws by the Tsallis rule, and in 0 by softmax.",
  handles: [SIZE, ALPHA],
  race,
  Body,
};
