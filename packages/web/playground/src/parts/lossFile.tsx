import { useRef, useState } from "preact/hooks";
import { formatCount } from "tsallis/statistics";
import { type LossTable, lossTable } from "../state/lossTable.js";
import { Field } from "./field.js";

interface Props {
  /** With the name of the file. */
  onLoad(table: LossTable, name: string): void;
}

/** Takes a file of one's own losses, chosen or dropped. It stays in the page. */
export function LossFile({ onLoad }: Props) {
  const [refusal, setRefusal] = useState<string | null>(null);
  const [used, setUsed] = useState("");
  const [isOver, setOver] = useState(false);
  const input = useRef<HTMLInputElement>(null);
  const load = async (file: File | undefined) => {
    if (file === undefined) return;
    try {
      const table = lossTable(await file.text());
      onLoad(table, file.name);
      const { length } = table.losses;
      setUsed(
        length < table.rows
          ? `${file.name}: ${formatCount(length)} of ${formatCount(table.rows)} rows have a loss in every column, and a race uses only these.`
          : "",
      );
      setRefusal(null);
    } catch (error) {
      setRefusal(`${file.name}: ${(error as Error).message}`);
    }
  };
  return (
    <section
      class={`drop ${isOver ? "over" : ""}`}
      aria-label="A file of losses"
      onDragOver={(event) => {
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={() => setOver(false)}
      onDrop={(event) => {
        event.preventDefault();
        setOver(false);
        const files = event.dataTransfer?.files;
        // So that the field has the name of the file.
        if (files?.length === 1) input.current!.files = files;
        load(files?.[0]);
      }}
    >
      <Field
        label="Load your own losses"
        note="CSV, chosen or dropped here: a row for each round, a column for each arm; cells may be empty. The file does not leave this page."
        control={(ties) => (
          <input
            {...ties}
            ref={input}
            type="file"
            accept=".csv,.tsv,.txt,text/csv"
            // The same file, corrected, is another one.
            onClick={(event) => {
              event.currentTarget.value = "";
            }}
            onChange={(event) => load(event.currentTarget.files?.[0])}
          />
        )}
      />
      {used !== "" && <p class="note">{used}</p>}
      {refusal !== null && (
        <p class="refusal" role="alert">
          {refusal}
        </p>
      )}
    </section>
  );
}
