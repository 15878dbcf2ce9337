import { useState } from "preact/hooks";
import type { Handles } from "../state/handles.js";
import type { Cue, Step } from "./steps.js";

/** Lets the steps of a scene set its handles and its figure. */
export function useSteps(handles: Handles, setHandles: (handles: Handles) => void): { readonly cue: Cue; onStep(step: Step): void } {
  const [cue, setCue] = useState<Cue>({ at: "start", count: 0 });
  return {
    cue,
    onStep(step) {
      if (step.handles !== undefined) setHandles({ ...handles, ...step.handles });
      setCue(({ count }) => ({ at: step.at, count: count + 1 }));
    },
  };
}
