import { useEffect, useState } from "preact/hooks";
import { keyOf, lanesOf, type Race } from "../engine/race.js";
import type { Racing } from "../engine/useRace.js";
import { experimentText } from "../state/experimentText.js";

interface Props {
  readonly name: string;
  readonly race: Race;
  readonly racing: Racing;
}

/** How to get the same run elsewhere, to the last digit. */
export function Reproduce({ name, race, racing }: Props) {
  const { view } = racing;
  const isOver = view !== null && !view.isPlaying && view.round >= race.rounds;
  const [hashes, setHashes] = useState<readonly (string | null)[] | null>(null);
  useEffect(() => {
    let wanted = true;
    setHashes(null);
    if (isOver) racing.runHashes().then((found) => wanted && setHashes(found));
    return () => {
      wanted = false;
    };
  }, [isOver, keyOf(race)]);
  return (
    <details class="reproduce">
      <summary>Reproduce this run{hashes !== null && `; hash of the first: ${hashes[0] ?? "failed"}`}</summary>
      <p>
        <button type="button" onClick={() => download(`playground-${name}.yaml`, experimentText(`playground-${name}`, race))}>
          Save the experiment
        </button>{" "}
        and run <code>npx tsallis run playground-{name}.yaml</code>: it prints the hash of every run, computed from all its arms and losses. The
        hashes are equal to those below.
      </p>
      {hashes === null ? (
        <p class="note">The run hashes appear when the last round is played.</p>
      ) : (
        <ul class="run-hashes">
          {lanesOf(race).map(({ policy, seed }, i) => {
            const { label } = race.policies[policy]!;
            return (
              <li key={`${label}/${seed}`}>
                <code>{hashes[i] ?? "failed"}</code> world/{label}/{seed}
              </li>
            );
          })}
        </ul>
      )}
    </details>
  );
}

function download(name: string, text: string): void {
  const address = URL.createObjectURL(new Blob([text], { type: "text/yaml" }));
  const link = Object.assign(document.createElement("a"), { href: address, download: name });
  link.click();
  URL.revokeObjectURL(address);
}
