import { useState } from "preact/hooks";
import { lossTable } from "../state/lossTable.js";
import { Field } from "./field.js";

interface Props {
  onLoad(losses: number[][]): void;
}

/** Takes a file of one's own losses. It stays in the page. */
export function LossFile({ onLoad }: Props) {
  const [refusal, setRefusal] = useState<string | null>(null);
  const load = async (input: HTMLInputElement) => {
    const file = input.files?.[0];
    if (file === undefined) return;
    try {
      onLoad(lossTable(await file.text()));
      setRefusal(null);
    } catch (error) {
      setRefusal(`${file.name}: ${(error as Error).message}`);
    }
    // The same file, mended, is another one.
    input.value = "";
  };
  return (
    <div>
      <Field
        label="Load your own losses"
        note="CSV: a row for each round, a column for each arm. The file does not leave this page."
        control={(ties) => <input {...ties} type="file" accept=".csv,.tsv,.txt,text/csv" onChange={(event) => load(event.currentTarget)} />}
      />
      {refusal !== null && (
        <p class="refusal" role="alert">
          {refusal}
        </p>
      )}
    </div>
  );
}
