import { useRef } from "preact/hooks";
import type { Handle } from "../state/handles.js";

interface Props {
  readonly handle: Handle;
  readonly value: number;
  onChange(value: number): void;
}

const KEYS: Readonly<Record<string, number>> = { ArrowLeft: -1, ArrowDown: -1, ArrowRight: 1, ArrowUp: 1, PageDown: -5, PageUp: 5 };
/** So many pixels are one step. */
const PIXELS = 8;

/** A number in the prose that is a handle: it follows the mouse to the left and right, and the arrow keys. */
export function Scrub({ handle: { label, low, high, step, show = String }, value, onChange }: Props) {
  const held = useRef<{ readonly x: number; readonly value: number } | null>(null);
  const set = (target: number) => {
    const steps = Math.round((Math.min(high, Math.max(low, target)) - low) / step);
    // As the slider of the same handle has it: without the digits of a rounding error.
    const next = Number((low + steps * step).toPrecision(10));
    if (next !== value) onChange(next);
  };
  return (
    <span
      class="scrub"
      role="slider"
      tabIndex={0}
      aria-label={`${label.replace(/:$/, "")}, in the text`}
      aria-valuemin={low}
      aria-valuemax={high}
      aria-valuenow={value}
      aria-valuetext={show(value)}
      onPointerDown={(event) => {
        event.currentTarget.setPointerCapture(event.pointerId);
        held.current = { x: event.clientX, value };
      }}
      onPointerMove={(event) => {
        if (held.current !== null) set(held.current.value + step * Math.round((event.clientX - held.current.x) / PIXELS));
      }}
      onPointerUp={() => {
        held.current = null;
      }}
      onPointerCancel={() => {
        held.current = null;
      }}
      onKeyDown={(event) => {
        const steps = KEYS[event.key];
        if (steps === undefined) return;
        event.preventDefault();
        set(value + steps * step);
      }}
    >
      {show(value)}
    </span>
  );
}
