import { Mark } from "../../../common/mark.js";
import type { Failure } from "../answers/failure.js";
import { KeyForm } from "./keyForm.js";

/** The code for a bandit whose log does not replay. */
const SHUT = "ERR_REPLAY";

/** Takes the place of a page that could not be had. */
export function Failed({ failure }: { readonly failure: Failure }) {
  if (failure.status === 401) return <KeyForm message={failure.sentence} />;
  return (
    <div role="alert">
      <h1 tabIndex={-1}>
        <Mark level="bad" />
        {headingOf(failure)}
      </h1>
      <p>
        {failure.status > 0 && "It says: "}
        {failure.sentence}
      </p>
      {failure.code !== "" && (
        <p class="note">
          <code>{failure.code}</code>
        </p>
      )}
      <p class="note">
        {remedyOf(failure)} <a href="#/">All bandits</a>
      </p>
    </div>
  );
}

function remedyOf({ status, code }: Failure): string {
  if (status === 403) return "Forget the key and give another one, or ask the operator of the service.";
  if (code === SHUT)
    return "It answers nothing, so that nothing wrong is answered. What is in the log can be checked with tsallis audit; the other bandits go on.";
  return "The page keeps asking, every ten seconds.";
}

export function headingOf({ status, code }: Failure): string {
  if (code === SHUT) return "This bandit is shut";
  if (status === 0) return "The service does not answer";
  if (status === 403) return "This is not allowed";
  if (status === 404) return "There is no such thing here";
  if (status === 429) return "The service is asked too often";
  if (status === 503) return "The service cannot answer now";
  return `The service answered with ${status}`;
}
