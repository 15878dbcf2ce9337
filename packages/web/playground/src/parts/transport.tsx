import { useRef } from "preact/hooks";
import { formatCount } from "tsallis/statistics";
import type { Racing } from "../engine/useRace.js";
import { formatTimeLeft } from "./formatTimeLeft.js";

const SPEEDS = [
  [10, "10 rounds per second"],
  [200, "200 per second"],
  [1_000, "1,000 per second"],
  [10_000, "10,000 per second"],
  [Number.POSITIVE_INFINITY, "as fast as it goes"],
] as const;

/** Play, pause, one step, to the end, again, and how fast. Buttons that can do nothing now keep the focus, so that a step does not take it from the keyboard. */
export function Transport({ racing, rounds }: { readonly racing: Racing; readonly rounds: number }) {
  const { view, speed } = racing;
  const round = view?.round ?? 0;
  const isOver = round >= rounds;
  const canStep = !isOver && !view?.isPlaying;
  const left = useTimeLeft(round, rounds, view?.isPlaying ?? false);
  return (
    <div class="transport">
      {view?.isPlaying ? (
        <button type="button" class="primary" onClick={racing.pause}>
          Pause
        </button>
      ) : (
        <button type="button" class="primary" onClick={isOver ? () => racing.again() : racing.play}>
          {isOver ? "Play again" : "Play"}
        </button>
      )}
      <button type="button" onClick={() => canStep && racing.step()} aria-disabled={!canStep}>
        One round
      </button>
      <button type="button" onClick={() => isOver || racing.to(rounds)} aria-disabled={isOver}>
        To the end
      </button>
      <label class="speed">
        <span class="unseen">Speed</span>
        <select value={String(speed)} onChange={(event) => racing.setSpeed(Number(event.currentTarget.value))}>
          {SPEEDS.map(([value, words]) => (
            <option key={words} value={String(value)}>
              {words}
            </option>
          ))}
        </select>
      </label>
      <span class="round">
        <progress max={rounds} value={round} aria-label="Rounds played" /> {formatCount(round)} of {formatCount(rounds)} rounds
        {left === "" ? "" : `, ${left}`}
      </span>
    </div>
  );
}

/** What is measured over less than this says little. */
const LEAST_SECONDS = 2;

/** How long a race that plays still takes, in words; empty if that is not worth saying. */
function useTimeLeft(round: number, rounds: number, isPlaying: boolean): string {
  const begun = useRef({ at: 0, round: 0 });
  const now = performance.now() / 1000;
  if (!isPlaying || round < begun.current.round || begun.current.at === 0) begun.current = { at: now, round };
  const elapsed = now - begun.current.at;
  return elapsed < LEAST_SECONDS ? "" : formatTimeLeft(((rounds - round) * elapsed) / (round - begun.current.round));
}
