import type { Handle } from "../state/handles.js";

interface Props {
  readonly handle: Handle;
  readonly value: number;
  onChange(value: number): void;
}

/** A handle of a scene. */
export function Slider({ handle: { label, low, high, step, show = String }, value, onChange }: Props) {
  return (
    <label class="slider">
      <span>
        {label} <output>{show(value)}</output>
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
