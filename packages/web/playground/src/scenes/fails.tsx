import { formatPercent } from "tsallis/statistics";
import { tickText } from "../../../common/axis.js";
import { HandleSliders } from "../parts/handleSliders.js";
import { RaceFigure } from "../parts/raceFigure.js";
import { Scrub } from "../parts/scrub.js";
import { type Step, Steps } from "../parts/steps.js";
import { TwoSidedTail } from "../parts/twoSidedTail.js";
import { useSteps } from "../parts/useSteps.js";
import type { Handle } from "../state/handles.js";
import { CHANCE, isTruncatedNonNegative, rareGainsRace, SIZE, usual } from "../state/rareGains.js";
import type { Scene, SceneProps } from "./scene.js";

const SHARE: Handle = {
  name: "share",
  label: "Gains in the tail of arm 1:",
  low: 0,
  high: 1,
  step: 0.05,
  initial: 1,
  show: formatPercent,
};

/** Of the runs of the figure. */
export const BREAK_WORDS =
  "MatchedTINF breaks before HTINF, but not as thoroughly: at 80\u00a0%, 8 of its 20 runs are stuck and 0 of HTINF's; at 100\u00a0%, 6 and 20.";

function Body({ scene, handles, setHandles }: SceneProps) {
  const { cue, onStep } = useSteps(handles, setHandles);
  const share = handles.share!;
  const setShare = (next: number) => setHandles({ ...handles, share: next });
  const scrub = <Scrub handle={SHARE} value={share} onChange={setShare} />;
  const steps: readonly Step[] = [
    {
      title: "Rare gains",
      handles: { share: 1 },
      at: "start",
      words: (
        <p>
          With the whole tail on the right, at 100{"\u00a0"}%, arm 1 usually costs {usual(1)}, but gains {SIZE - usual(1)} in one round of{" "}
          {1 / CHANCE}: it costs 1 on average. Arm 2 always costs 1.5. HTINF then skips exactly what makes arm 1 the best. It stays on arm 2 and pays
          more than Uniform, which chooses uniformly at random. SignedTINF requires the same parameters, does not skip, and learns.
        </p>
      ),
    },
    {
      title: "The tail flips over",
      handles: { share: 0 },
      at: "start",
      words: (
        <p>
          Now {scrub} of the tail are gains, and the rest are costs. Arm 1 usually costs {tickText(usual(share))}, and still 1 on average. At 0
          {"\u00a0"}% HTINF skips rare costs: the best arm looks even better than it is, and every run learns. The theorems of the paper assume this
          side, and call it truncated non-negativity: beyond every threshold, the best arm's costs outweigh its gains. Here it holds up to 50
          {"\u00a0"}%.
        </p>
      ),
    },
    {
      title: "Where does it break?",
      handles: { share: 0.8 },
      at: "end",
      words: (
        <>
          <p>
            {BREAK_WORDS} With its parameter <code>rarest</code> at 500, for gains in one of 500 rounds, none of its runs is stuck at either share.
            Before you use any of these for profits, ask on which side the surprises are.
          </p>
          <p class="try">
            Try this: drag the tail over. From which share on is the assumption violated, and from which share on are runs of HTINF stuck?
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
        race={rareGainsRace(share)}
        scale="linear"
        speed={10_000}
        cue={cue}
        above={
          <>
            <HandleSliders handles={scene.handles} values={handles} onChange={setHandles} />
            <TwoSidedTail usual={usual(share)} size={SIZE} share={share} onShare={setShare} />
            <p class="verdict">
              What the theorems assume, large costs outweighing large gains,{" "}
              <strong>{isTruncatedNonNegative(share) ? "holds" : "is violated"}</strong>.
            </p>
          </>
        }
      />
    </div>
  );
}

export const FAILS: Scene = {
  name: "fails",
  title: "Where it fails",
  short: "Failure",
  claim: "If what makes an arm the best is a few huge gains, a policy that skips what is huge may never find it.",
  counted:
    "In 40 runs with other seeds, stuck: HTINF 40, SignedTINF 0, MatchedTINF 8; with the tail flipped over: HTINF 0, SignedTINF 0, MatchedTINF 0.",
  handles: [SHARE],
  race: ({ share }) => rareGainsRace(share!),
  Body,
};
