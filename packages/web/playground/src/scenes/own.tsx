import type { Advice } from "@tsallis/lab/play";
import { useMemo, useState } from "preact/hooks";
import { formatCount, formatNumber } from "tsallis/statistics";
import { LogLines } from "../../../common/logLines.js";
import { seriesStyle } from "../../../common/seriesStyle.js";
import type { RaceView } from "../engine/engine.js";
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
  const { names, columns, losses, rows } = table;
  const advice = useMemo(() => adviceOn(table), [table]);
  const race = useMemo(() => raceOn(table), [table]);
  const lines = useMemo(
    () =>
      names.flatMap((name, arm) => {
        const points = tailPoints(columns[arm]!);
        return points.length < 2 ? [] : [{ name, style: seriesStyle(race.policies.length + arm), points }];
      }),
    [table],
  );
  return (
    <div class="scene own">
      <div class="file">
        <section class="step active">
          <h2>{file === null ? "A sample, or your own file" : `${file}: ${formatCount(rows)} rounds of ${names.length} arms`}</h2>
          <LossFile
            onLoad={(loaded, name) => {
              setTable(loaded);
              setFile(name);
            }}
          />
          {file === null && <p class="note">Shown now: a sample, the response times of three servers in seconds.</p>}
          {losses.length < rows && <p class="note">The advice uses all losses.</p>}
        </section>
      </div>
      <div class="steps">
        <section class="step active">
          <h2>Advice for {file ?? "the sample"}</h2>
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
        below={(view) => (
          <>
            <p class="note">
              The best arm is the one that costs least over all rounds. Regret falls in a round in which it costs more than the arm that was played.
              No run is judged as stuck: recorded losses have no true means.
            </p>
            {typeof advice !== "string" && <p class="outcome">{aheadText(view)}</p>}
          </>
        )}
        above={
          lines.length > 0 && (
            <>
              <LogLines label="Share of losses that are larger" x="size of the loss" y="share that is larger" lines={lines} height={CHART} />
              {columns.some((column) => column.some((loss) => loss < 0)) && (
                <p class="note">Sizes leave out the sign: a gain of 5 is as large as a loss of 5.</p>
              )}
            </>
          )
        }
      />
    </div>
  );
}

/** In the words of the command. */
function AdviceText({ advice: { recommendation, arms, pooled } }: { readonly advice: Advice }) {
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
        Tail index, smaller for heavier tails: {indicesText({ arms, pooled })}. The same as <code>npx tsallis advise --data losses.csv</code>. The
        advised policy as JSON: <code class="spec">{JSON.stringify(spec)}</code>.
      </p>
    </div>
  );
}

/** As the advice reads them. If one arm is clearly heavier, an index of all together says nothing. */
export function indicesText({ arms, pooled }: Pick<Advice, "arms" | "pooled">): string {
  const all = pooled.heavierArm === null ? [{ ...pooled, name: "all arms together" }] : [];
  return [...all, ...arms].map(({ name, pareto, tails }) => `${name} ${indexText((pareto?.index ?? tails.both?.hill)?.estimate)}`).join(", ");
}

/** The first policy is the advised one. Empty before the end, and if no other pays less. */
export function aheadText({ race, round, tapes }: Pick<RaceView, "race" | "round" | "tapes">): string {
  if (round < race.rounds) return "";
  const ends = race.policies.map(({ label }, policy) => ({ label, regret: tapes[policy]!.median.at(-1) ?? 0 }));
  const [advised, ...others] = ends;
  const ahead = others.filter(({ regret }) => regret < advised!.regret);
  if (ahead.length === 0) return "";
  const shown = [...ahead, advised!].map(({ label, regret }) => `${label} ${formatNumber(regret)}`).join(", ");
  return `The advised policy did not pay least here. Median regret: ${shown}. These rows happened once; the advice is for such losses in general.`;
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
  counted: "On 200 other tables like the sample, the advised policy pays least of the four in 194, by the median of 10 runs.",
  handles: [],
  race: () => raceOn(sampleTable(1)),
  Body,
};
