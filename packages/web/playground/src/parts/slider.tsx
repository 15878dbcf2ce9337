import type { Handle } from "../state/handles.js";

interface Props {
  readonly handle: Handle;
  readonly value: number;
  onChange(value: number): void;
}

/** A handle of a scene. Its value is no output element: the label would name that one and not the handle. */
export function Slider({ handle: { label, low, high, step, show = String }, value, onChange }: Props) {
  return (
    <label class="slider">
      <span>
        {label} <b aria-hidden="true">{show(value)}</b>
      </span>
      <input
        type="range"
        min={low}
        max={high}
        step={step}
        value={value}
        aria-valuetext={show(value)}
        onInput={(event) => onChange(Number(event.currentTarget.value))}
      />
    </label>
  );
}
