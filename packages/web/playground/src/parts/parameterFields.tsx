import type { ComponentChildren } from "preact";
import { DISTRIBUTIONS, type DistributionSpec, type Parameter, type Parameters } from "tsallis";
import { readValue, textOf, withValue } from "../state/parameterText.js";
import { removed, replaced } from "../state/replaced.js";
import { DISTRIBUTION, startOfDistribution } from "../state/starts.js";
import { Field } from "./field.js";

interface Props {
  readonly parameters: Parameters;
  readonly values: Readonly<Record<string, unknown>>;
  onChange(name: string, value: unknown): void;
  /** Fields before those of the table. */
  readonly children?: ComponentChildren;
}

/** A form made from a table of parameters. It takes what is typed; the library says what is wrong with it. */
export function ParameterFields({ parameters, values, onChange, children }: Props) {
  return (
    <div class="fields">
      {children}
      {Object.entries(parameters).map(([name, parameter]) => (
        <ParameterField key={name} name={name} parameter={parameter} value={values[name]} onChange={(value) => onChange(name, value)} />
      ))}
    </div>
  );
}

interface ParameterFieldProps {
  readonly name: string;
  readonly parameter: Parameter;
  readonly value: unknown;
  onChange(value: unknown): void;
}

function ParameterField({ name, parameter, value, onChange }: ParameterFieldProps) {
  const { type, description } = parameter;
  if (type === "table") return <p class="note">{description}: from a file, see Load.</p>;
  if (type === "distribution") return <DistributionForm name={name} description={description} distribution={value} onChange={onChange} />;
  if (type === "distributions") {
    const distributions: readonly unknown[] = Array.isArray(value) ? value : [];
    return (
      <fieldset>
        <legend>
          {name}: {description}
        </legend>
        {distributions.map((distribution, i) => (
          <DistributionForm
            key={i}
            name={`${name === "arms" ? "arm" : name} ${i + 1}`}
            distribution={distribution}
            onChange={(next) => onChange(replaced(distributions, i, next))}
            {...(distributions.length > parameter.minimum && { onRemove: () => onChange(removed(distributions, i)) })}
          />
        ))}
        <button type="button" onClick={() => onChange([...distributions, distributions.at(-1) ?? DISTRIBUTION])}>
          One more
        </button>
      </fieldset>
    );
  }
  const fallback = "default" in parameter ? String(parameter.default) : "optional" in parameter ? "none" : "";
  const read = (text: string) => onChange(readValue(parameter, text));
  return (
    <Field
      label={name}
      note={description}
      control={(ties) =>
        type === "name" ? (
          <select {...ties} value={textOf(value)} onChange={(event) => read(event.currentTarget.value)}>
            <option value="">{fallback === "" ? "choose" : `default: ${fallback}`}</option>
            {parameter.names.map((one) => (
              <option key={one}>{one}</option>
            ))}
          </select>
        ) : (
          <input
            {...ties}
            type="text"
            value={textOf(value)}
            placeholder={fallback === "" ? "" : `default: ${fallback}`}
            onChange={(event) => read(event.currentTarget.value)}
          />
        )
      }
    />
  );
}

interface DistributionProps {
  readonly name: string;
  readonly description?: string;
  readonly distribution: unknown;
  onChange(distribution: DistributionSpec): void;
  onRemove?(): void;
}

/** A distribution, with the distributions that it is made of. */
function DistributionForm({ name, description, distribution, onChange, onRemove }: DistributionProps) {
  const spec =
    typeof distribution === "object" && distribution !== null ? (distribution as DistributionSpec) : ({ distribution: "" } as DistributionSpec);
  const entry = DISTRIBUTIONS[spec.distribution];
  return (
    <fieldset>
      <legend>{description === undefined ? name : `${name}: ${description}`}</legend>
      <ParameterFields parameters={entry?.parameters ?? {}} values={spec} onChange={(key, value) => onChange(withValue(spec, key, value))}>
        <Field
          label="distribution"
          note={entry?.description}
          control={(ties) => (
            <select {...ties} value={spec.distribution} onChange={(event) => onChange(startOfDistribution(event.currentTarget.value, entry && spec))}>
              {entry === undefined && <option value={spec.distribution}>choose</option>}
              {Object.keys(DISTRIBUTIONS).map((one) => (
                <option key={one}>{one}</option>
              ))}
            </select>
          )}
        />
      </ParameterFields>
      {onRemove && (
        <button type="button" onClick={onRemove}>
          Remove {name}
        </button>
      )}
    </fieldset>
  );
}
