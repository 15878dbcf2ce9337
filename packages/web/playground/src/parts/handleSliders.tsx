import type { ComponentChildren } from "preact";
import type { Handle, Handles } from "../state/handles.js";
import { Slider } from "./slider.js";

interface Props {
  readonly handles: readonly Handle[];
  readonly values: Handles;
  onChange(values: Handles): void;
  /** What is next to them. */
  readonly children?: ComponentChildren;
}

/** The handles of a scene. */
export function HandleSliders({ handles, values, onChange, children }: Props) {
  return (
    <div class="handles">
      {handles.map((handle) => (
        <Slider key={handle.name} handle={handle} value={values[handle.name]!} onChange={(value) => onChange({ ...values, [handle.name]: value })} />
      ))}
      {children}
    </div>
  );
}
