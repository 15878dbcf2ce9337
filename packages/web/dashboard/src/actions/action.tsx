import type { ComponentChildren } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { Mark } from "../../../common/mark.js";
import { send } from "../answers/ask.js";
import { Failure } from "../answers/failure.js";
import { useKey } from "../answers/key.js";
import { type ActionRequest, curlOf } from "./curlOf.js";

interface Props {
  readonly id: string;
  readonly title: string;
  /** On the button, and on the one that confirms. */
  readonly verb: string;
  /** What happens, and what is lost. */
  readonly consequence: string;
  readonly request: ActionRequest;
  /** Fields that the request is made of. */
  readonly children?: ComponentChildren;
  /** What was done, in words, from the answer. */
  readonly done: (answer: unknown) => string;
  /** Whether it cannot be undone. */
  readonly isFinal?: boolean;
}

/** Something that a key with the role may do: as a form that asks before it acts, and as a command for a shell. */
export function Action({ id, title, verb, consequence, request, children, done, isFinal = false }: Props) {
  const key = useKey();
  const [isAsking, setIsAsking] = useState(false);
  const [result, setResult] = useState<string | Failure>();
  const act = async () => {
    setIsAsking(false);
    setResult("…");
    try {
      const response = await send(request.path, request);
      setResult(done(await response.json().catch(() => undefined)));
    } catch (error) {
      setResult(error instanceof Failure ? error : new Failure(0, "", String(error)));
    }
  };
  return (
    <form
      class="action"
      aria-labelledby={`${id}-title`}
      onSubmit={(event) => {
        event.preventDefault();
        setResult(undefined);
        setIsAsking(true);
      }}
    >
      <h3 id={`${id}-title`}>{title}</h3>
      <div class="asking">
        {children}
        <button type="submit">{verb}</button>
      </div>
      <pre>{curlOf(request, location.href.split("#")[0]!, key !== undefined)}</pre>
      <p role="status">
        {result instanceof Failure ? (
          <>
            <Mark level="bad" />
            It was refused: {result.sentence}
          </>
        ) : (
          result !== undefined && (
            <>
              {result !== "…" && <Mark level="good" />}
              {result}
            </>
          )
        )}
      </p>
      {isAsking && (
        <Confirm id={id} title={title} verb={verb} consequence={consequence} isFinal={isFinal} onYes={act} onNo={() => setIsAsking(false)} />
      )}
    </form>
  );
}

interface ConfirmProps extends Pick<Props, "id" | "title" | "verb" | "consequence"> {
  readonly isFinal: boolean;
  readonly onYes: () => void;
  readonly onNo: () => void;
}

/** A dialog that says what will happen. Escape leaves it, and Cancel, which is first, has the focus. */
function Confirm({ id, title, verb, consequence, isFinal, onYes, onNo }: ConfirmProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => dialog.current!.showModal(), []);
  return (
    <dialog class="confirm" ref={dialog} aria-labelledby={`${id}-asks`} onClose={onNo}>
      <h2 id={`${id}-asks`}>{title}?</h2>
      <p>{consequence}</p>
      {isFinal && (
        <p>
          <Mark level="warn" />
          <strong>This cannot be undone.</strong>
        </p>
      )}
      <div class="choice">
        <button type="button" onClick={onNo}>
          Cancel
        </button>
        <button type="button" class="sure" onClick={onYes}>
          {verb}
        </button>
      </div>
    </dialog>
  );
}
