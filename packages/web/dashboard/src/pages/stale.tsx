import { formatDuration } from "../../../common/formatTime.js";
import { Mark } from "../../../common/mark.js";
import type { Polled } from "../answers/usePolled.js";
import { headingOf } from "./failed.js";

/** Says that what is shown is old, and why. */
export function Stale({ polled: { at, failure } }: { readonly polled: Polled<unknown> }) {
  return (
    <div class="stale">
      {/* The words are read out once; the age, which changes every second, is not. */}
      <span role="status">
        {failure !== undefined && (
          <>
            <Mark level="bad" />
            <strong>{headingOf(failure)}.</strong> {failure.status > 0 && "It says: "}
            {failure.sentence}
          </>
        )}
      </span>
      {failure !== undefined && <span> What you see is {formatDuration(Math.max(1, Math.round((Date.now() - at) / 1000)))} old.</span>}
    </div>
  );
}
