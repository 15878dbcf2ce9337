import type { ComponentChildren } from "preact";
import { useId } from "preact/hooks";

interface Props {
  readonly label: string;
  /** What it means, in small print. */
  readonly note?: string | undefined;
  /** Makes the control from what ties it to its label and its note. */
  readonly control: (ties: { id: string; "aria-describedby"?: string }) => ComponentChildren;
}

/** A control of a form, with its label and what it means. */
export function Field({ label, note, control }: Props) {
  const id = useId();
  const noteId = `${id}-note`;
  return (
    <div class="field">
      <label for={id}>{label}</label>
      {control({ id, ...(note !== undefined && { "aria-describedby": noteId }) })}
      {note !== undefined && <small id={noteId}>{note}</small>}
    </div>
  );
}
