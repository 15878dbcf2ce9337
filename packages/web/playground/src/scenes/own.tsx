import type { Advice } from "@tsallis/lab/play";
import { useMemo, useState } from "preact/hooks";
import { formatCount, formatNumber } from "tsallis/statistics";
import { LogLines } from "../../../common/logLines.js";
import { seriesStyle } from "../../../common/seriesStyle.js";
import { LossFile } from "../parts/lossFile.js";
import { RaceFigure } from "../parts/raceFigure.js";
import { tailPoints } from "../state/lossTable.js";
import { adviceOn, raceOn, sampleTable } from "../state/ownLosses.js";
import type { Scene, SceneProps } from "./scene.js";

/** The height of both charts, so that they are in view together; in pixels. */
const CHART = 220;

function Body({ scene }: SceneProps) {
  const [table, setTable] = useState(() => sampleTable(1));
  // Null for the sample.
  const [file, setFile] = useState<string | null>(null);
  const { names, losses } = table;
  const advice = useMemo(() => adviceOn(table), [table]);
  const race = useMemo(() => raceOn(table), [table]);
  const lines = useMemo(
    () =>
      names.flatMap((name, arm) => {
        const points = tailPoints(losses.map((row) => row[arm]!));
        return points.length < 2 ? [] : [{ name, style: seriesStyle(race.policies.length + arm), points }];
      }),
    [table],
  );
  return (
    <div class="scene own">
      <div class="file">
        <section class="step active">
          <h2>{file === null ? "A sample, or your own file" : `${file}: ${formatCount(losses.length)} rounds of ${names.length} arms`}</h2>
          <LossFile
            onLoad={(loaded, name) => {
              setTable(loaded);
              setFile(name);
            }}
          />
          {file === null && <p class="note">Shown now: a sample, the response times of three servers in seconds.</p>}
        </section>
      </div>
      <div class="steps">
        <section class="step active">
          <h2>Advice</h2>
          {typeof advice === "string" ? <p>{advice}</p> : <AdviceText advice={advice} />}
        </section>
      </div>
      <RaceFigure
        name={scene.name}
        race={race}
        scale="linear"
        speed={1_000}
        armNames={names}
        height={CHART}
        below={() => (
          <p class="note">
            The best arm is the one that costs least over all rounds. Regret falls in a round in which it costs more than the arm that was played.
          </p>
        )}
        above={
          lines.length > 0 && (
            <LogLines label="Share of losses that are larger" x="size of the loss" y="share that is larger" lines={lines} height={CHART} />
          )
        }
      />
    </div>
  );
}

/** In the words of the command. */
function AdviceText({ advice: { recommendation, arms } }: { readonly advice: Advice }) {
  const { spec, reasons, warnings, alternatives } = recommendation;
  return (
    <div class="advice">
      <p>
        Play <strong>{spec.policy}</strong>:
      </p>
      <ul>
        {[...reasons, ...warnings].map((sentence) => (
          <li key={sentence}>{sentence}</li>
        ))}
        {alternatives.map(({ spec: other, when }) => (
          <li key={when}>
            <code>{other.policy}</code> if {when}
          </li>
        ))}
      </ul>
      <p class="note">
        Tail index, smaller for heavier tails: {arms.map(({ name, tails }) => `${name} ${indexText(tails.both?.hill.estimate)}`).join(", ")}. The same
        as <code>npx tsallis advise --data losses.csv</code>. The advised policy as JSON: <code class="spec">{JSON.stringify(spec)}</code>.
      </p>
    </div>
  );
}

/** The tails of losses that are bounded have no index: its estimate is then large and says nothing more. */
const LARGE = 10;

export function indexText(estimate: number | undefined): string {
  return estimate === undefined ? "unknown" : estimate > LARGE ? `over ${LARGE}` : formatNumber(estimate);
}

export const OWN: Scene = {
  name: "own",
  title: "Your own losses",
  short: "Your data",
  claim: "Recorded losses show how heavy their tails are, and that suggests a policy.",
  counted: "On 20 other tables like the sample, the advised policy pays less than UCB1 in 20, than EXP3 in 20 and than uniform play in 20.",
  handles: [],
  race: () => raceOn(sampleTable(1)),
  Body,
};
