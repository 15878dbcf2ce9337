import { type DistributionSpec, ENVIRONMENTS } from "tsallis";
import { formatCount } from "tsallis/statistics";
import { type Race, worldOf } from "../engine/race.js";
import { withValue } from "../state/parameterText.js";
import { replaced } from "../state/replaced.js";
import { startOfWorld } from "../state/starts.js";
import { DensityEditor } from "./densityEditor.js";
import { Field } from "./field.js";
import { ParameterFields } from "./parameterFields.js";

interface Props {
  /** As it is being written: its world need not be one. */
  readonly race: Race;
  readonly fault: string | null;
  /** Whether a world can be played by all policies. */
  canPlay(world: Race["world"]): boolean;
  /** Shows a world while it is dragged. */
  onBend(world: Race["world"]): void;
  /** Plays what is shown. */
  onDone(): void;
  onChange(world: Race["world"]): void;
}

/** What the lab adds to every world. */
const DELAY = {
  delay: {
    type: "integer",
    default: 0,
    description: 'rounds until the policies learn a loss; or, as JSON, a distribution of that number or { "batch": rounds }',
  },
} as const;

/** The world: its kind, the densities of its arms to be bent, and everything as numbers. */
export function WorldForm({ race, fault, canPlay, onBend, onDone, onChange }: Props) {
  const { world } = race;
  const entry = ENVIRONMENTS[world.environment];
  const parameters = entry?.parameters ?? {};
  const distributions = Object.keys(parameters).flatMap((list) => {
    if (parameters[list]!.type !== "distributions" || !Array.isArray(world[list])) return [];
    const prefix = list === "arms" ? "" : `${list} `;
    return (world[list] as DistributionSpec[]).map((spec, arm) => ({ list, arm, spec, name: `${prefix}arm ${arm + 1}` }));
  });
  const withDistribution = (place: number, spec: DistributionSpec) => {
    const { list, arm } = distributions[place]!;
    return { ...world, [list]: replaced(world[list] as DistributionSpec[], arm, spec) };
  };
  return (
    <section>
      <Field
        label="World"
        note={entry?.description}
        control={(ties) => (
          <select {...ties} value={world.environment} onChange={(event) => onChange(startOfWorld(event.currentTarget.value, race))}>
            {Object.keys(ENVIRONMENTS).map((name) => (
              <option key={name}>{name}</option>
            ))}
          </select>
        )}
      />
      {distributions.length > 0 && (
        <DensityEditor
          distributions={distributions}
          onBend={(place, spec) => onBend(withDistribution(place, spec))}
          canPlay={(place, spec) => canPlay(withDistribution(place, spec))}
          onDone={onDone}
        />
      )}
      {distributions.length === 0 && fault === null && <Shown race={race} />}
      {fault !== null && (
        <p class="refusal" role="alert">
          {fault}
        </p>
      )}
      <details>
        <summary>The world in numbers</summary>
        <div class="numbers">
          <ParameterFields
            parameters={{ ...parameters, ...DELAY }}
            values={world}
            onChange={(name, value) => onChange(withValue(world, name, value))}
          />
        </div>
      </details>
    </section>
  );
}

/** A world whose distributions follow from a few numbers: they can be seen and not dragged. */
function Shown({ race }: { readonly race: Race }) {
  const environment = worldOf(race);
  const { losses } = race.world;
  if (Array.isArray(losses)) {
    return (
      <p class="note">
        {formatCount(losses.length)} rounds of {environment.arms} arms, as they were recorded.
      </p>
    );
  }
  const distributions = Array.from({ length: environment.arms }, (_, arm) => ({
    name: `arm ${arm + 1} in round 1`,
    spec: environment.distribution(1, arm).spec,
  }));
  return <DensityEditor distributions={distributions} onBend={null} />;
}
