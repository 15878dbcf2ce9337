import { POLICIES } from "tsallis";
import { seriesStyle } from "../../../common/seriesStyle.js";
import { Swatch } from "../../../common/swatch.js";
import { MOST, type Race, type Racer } from "../engine/race.js";
import { withValue } from "../state/parameterText.js";
import { removed, replaced } from "../state/replaced.js";
import { freeLabel, nextPolicy, startOfPolicy } from "../state/starts.js";
import { Field } from "./field.js";
import { ParameterFields } from "./parameterFields.js";

interface Props {
  readonly race: Race;
  /** One for each policy. */
  readonly faults: readonly (string | null)[];
  onChange(policies: Race["policies"]): void;
}

/** The policies that race, each with a form for its parameters. */
export function PolicyForms({ race, faults, onChange }: Props) {
  const { policies, rounds } = race;
  const labels = policies.map(({ label }) => label);
  const isFull = policies.length >= MOST.policies;
  const named = (policy: string, taken: readonly string[]): Racer => ({ label: freeLabel(policy, taken), spec: startOfPolicy(policy, rounds) });
  return (
    <section>
      {policies.map(({ label, spec }, i) => {
        const entry = POLICIES[spec.policy]!;
        const others = removed(labels, i);
        const change = (racer: Partial<Racer>) => onChange(replaced(policies, i, { label, spec, ...racer }));
        return (
          <div key={i} class="policy">
            <details>
              <summary>
                <span class="swatched">
                  <Swatch style={seriesStyle(i)} line />
                  {label}
                </span>
              </summary>
              <ParameterFields parameters={entry.parameters} values={spec} onChange={(name, value) => change({ spec: withValue(spec, name, value) })}>
                <Field
                  label="policy"
                  note={entry.description}
                  control={(ties) => (
                    <select {...ties} value={spec.policy} onChange={(event) => change(named(event.currentTarget.value, others))}>
                      {Object.keys(POLICIES).map((name) => (
                        <option key={name}>{name}</option>
                      ))}
                    </select>
                  )}
                />
                <Field
                  label="label"
                  control={(ties) => (
                    <input
                      {...ties}
                      type="text"
                      value={label}
                      maxLength={64}
                      onChange={(event) => change({ label: event.currentTarget.value.trim() })}
                    />
                  )}
                />
              </ParameterFields>
              {policies.length > 1 && (
                <button type="button" onClick={() => onChange(removed(policies, i))}>
                  Remove {label}
                </button>
              )}
            </details>
            {faults[i] !== null && (
              <p class="refusal" role="alert">
                {faults[i]}
              </p>
            )}
          </div>
        );
      })}
      <button type="button" aria-disabled={isFull} onClick={() => isFull || onChange([...policies, named(nextPolicy(policies), labels)])}>
        One more policy
      </button>
    </section>
  );
}
