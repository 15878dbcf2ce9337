import { useMemo } from "preact/hooks";
import { bound } from "tsallis";
import { type Race, runOf } from "../engine/race.js";
import { RaceFigure } from "../parts/raceFigure.js";
import type { Curve } from "../parts/regretChart.js";
import { Slopes } from "../parts/slopes.js";
import type { Handles } from "../state/handles.js";
import type { Scene, SceneProps } from "./scene.js";

const ALPHA = 1.5;
const LEVEL = 2;
const ONE_GAP = [0, 0.5, 0.5, 0.5];
const ALL_GAPS = [0, ...Array.from({ length: 7 }, (_, i) => 0.5 ** (i + 1))];
const ADVERSARIES = ["nothing", "level of all arms", "level, and gaps of every size"];

const shiftedLomax = (by: number) => ({ distribution: "shifted", by, of: { distribution: "lomax", shape: 1.7, scale: 0.1 } });

function worldOf(adversary: number): Race["world"] {
  if (adversary === 0) return { environment: "stochastic", alpha: ALPHA, arms: ONE_GAP.map(shiftedLomax) };
  const gaps = adversary === 1 ? ONE_GAP : ALL_GAPS;
  return {
    environment: "stochastically-constrained",
    alpha: ALPHA,
    arms: gaps.map(shiftedLomax),
    alternate: gaps.map((gap) => shiftedLomax(gap + LEVEL)),
  };
}

function race({ adversary }: Handles): Race {
  return {
    world: worldOf(Math.round(adversary!)),
    policies: [
      { label: "HTINF", spec: { policy: "htinf", alpha: "promised", sigma: "promised" } },
      { label: "UCB1", spec: { policy: "ucb1" } },
      { label: "Thompson", spec: { policy: "thompson", sigma: 1 } },
    ],
    seeds: 10,
    rounds: 100_000,
  };
}

/** What the paper promises of HTINF in this world. */
function promises(played: Race, adversary: number): Curve[] {
  const { environment } = runOf(played, { policy: 0, seed: 1 });
  const problem = { arms: environment.arms, alpha: ALPHA, sigma: environment.sigma(ALPHA), gaps: [...environment.gaps!] };
  const at = (id: string, which: "printed" | "corrected") => (horizon: number) => bound(id)[which]({ ...problem, horizon }) ?? Number.NaN;
  const worst: Curve = {
    name: "HTINF's bound for any world",
    style: { colour: "ink", dash: [2, 4], opacity: "ff" },
    at: at("htinf/adversarial", "corrected"),
  };
  // With gaps of every size it is above 10^10, which says nothing and would press everything else together.
  if (adversary === 2) return [worst];
  const logarithmic = (which: "printed" | "corrected"): Curve => ({
    name: `logarithmic bound, ${which}`,
    style: { colour: which === "printed" ? "muted" : "ink", dash: [8, 4], opacity: "ff" },
    at: at("htinf/stochastically-constrained", which),
  });
  return [worst, logarithmic("printed"), logarithmic("corrected")];
}

function Body({ scene, handles }: SceneProps) {
  const adversary = Math.round(handles.adversary!);
  const played = useMemo(() => race({ adversary }), [adversary]);
  const curves = useMemo(() => promises(played, adversary), [played]);
  const labels = played.policies.map(({ label }) => label);
  return (
    <>
      <RaceFigure
        name={scene.name}
        race={played}
        scale="log"
        curves={curves}
        speed={10_000}
        below={(view) => <Slopes view={view} labels={labels} />}
      />
      <p class="words">
        Both axes are logarithmic, so a power of the round is a straight line and its exponent is the slope: 1 is what someone pays who never learns,
        and slope 0 is what a logarithm tends to. HTINF is told the moments of the losses and not in which world it plays.
      </p>
      <p class="words">
        <strong>Nothing moves.</strong> Every arm keeps its distribution. All three learn: over the last factor of ten their slopes are about 0.15, as
        a logarithm's are.
      </p>
      <p class="words">
        <strong>The level moves.</strong> In phases that grow longer and longer all losses rise by 2 and fall again, while arm 1 stays the best by
        0.5. Averages taken at different times are now unfair. HTINF's runs stay together and still bend. UCB1 and Thompson become a matter of luck:
        of twenty seeds (these ten and 101 to 110) UCB1 pays less than HTINF in sixteen and Thompson in eight. But HTINF's worst run pays 1,500. UCB1
        pays more than four times that in three, once 50,000, and Thompson in five.
      </p>
      <p class="words">
        <strong>Gaps of every size.</strong> Whatever the round, there is now an arm whose gap is just too small to have been noticed yet. That is the
        worst case: no algorithm can promise every world a slope below 1/α = 0.67. HTINF's comes down towards it, to 0.74 here.
      </p>
      <p class="words">
        The dotted line is the paper's promise for every world, with the slope 1/α. The dashed lines are its promise for worlds in which one arm stays
        best, with slope 0: as printed, and as corrected, which is smaller by more than half here, although a lemma behind the printed one is wrong.
        All promises lie more than a hundred times above what HTINF pays here. What they tell is the slope. With gaps of every size the dashed lines
        are left out: they are above 10¹⁰ there, and say nothing.
      </p>
      <p class="words try">
        Try this: before you move the handle from the first place to the second, guess which line suffers most. Then look at the shades, which hold
        the middle eight of the ten runs, and not at the lines alone.
      </p>
    </>
  );
}

export const TWO_WORLDS: Scene = {
  name: "two-worlds",
  title: "Two worlds, one algorithm",
  claim: "One algorithm that is not told in which world it plays is close to the best possible growth of regret in both.",
  handles: [
    { name: "adversary", label: "The adversary moves:", low: 0, high: 2, step: 1, initial: 0, show: (value) => ADVERSARIES[Math.round(value)]! },
  ],
  race,
  Body,
};
