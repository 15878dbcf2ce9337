import { useEffect, useMemo, useState } from "preact/hooks";
import { formatNumber } from "tsallis/statistics";
import { Scroller } from "../../../common/scroller.js";
import { runOf } from "../engine/race.js";
import { Presses } from "../parts/presses.js";
import { Stage } from "../parts/stage.js";
import { wantsLessMotion } from "../parts/wantsLessMotion.js";
import { GAME, type Press, ROUNDS, rivalPresses } from "../state/game.js";
import type { Scene } from "./scene.js";

const NAMES = ["Left", "Middle", "Right"];
const REPLAY_MS = 120;
/** The presses at the end that show what has been found out. */
const LAST = 20;

function Body() {
  const [seed, setSeed] = useState(firstSeed);
  const [yours, setYours] = useState<readonly Press[]>([]);
  const { environment, rotation } = useMemo(() => runOf(GAME, { policy: 0, seed }), [seed]);
  const rivals = useMemo(() => rivalPresses(seed), [seed]);
  const earlier = useMemo(() => lostGame(seed), [seed]);
  const arm = (button: number) => (button + rotation) % environment.arms;
  const isOver = yours.length === ROUNDS;
  const replayed = useReplay(isOver);
  const press = (button: number) => setYours([...yours, { button, loss: environment.loss(yours.length + 1, arm(button)) }]);
  const last = yours.at(-1);
  const best = NAMES[NAMES.findIndex((_, button) => environment.gaps![arm(button)] === 0)]!;
  const regretOf = (presses: readonly Press[]) => sum(presses.map(({ button }) => environment.gaps![arm(button)]!));
  return (
    <div class="scene">
      <div class="steps">
        <section class="step active">
          <h2>Forty presses</h2>
          <p>
            Each button costs something, every time another amount. One of them costs least on average, and the amounts are wild: now and then even
            the best one hits hard. Pay as little as you can in {ROUNDS} presses.
          </p>
          <p>
            Your rival is MatchedTINF. It presses along with you, faces the same table of costs, and knows as little as you do. What it does stays
            hidden until the end; then both games are replayed.
          </p>
          <p class="try">Try this: press every button until its average seems to settle. How often did one press overturn what you believed?</p>
        </section>
      </div>
      <figure class="race">
        <Stage>
          <div class="buttons">
            {NAMES.map((name, button) => {
              const losses = yours.filter((each) => each.button === button).map(({ loss }) => loss);
              return (
                <button type="button" key={name} class={`button-${button}`} aria-disabled={isOver} onClick={() => isOver || press(button)}>
                  {name}
                  <small>
                    {losses.length === 0 ? "not yet" : `${losses.length} pressed,`}
                    <br />
                    {losses.length === 0 ? "pressed" : `average ${formatNumber(sum(losses) / losses.length)}`}
                  </small>
                </button>
              );
            })}
          </div>
          <p aria-live="polite">
            {last === undefined
              ? `Press a button. ${ROUNDS} presses left.`
              : `${NAMES[last.button]} cost ${formatNumber(last.loss)}. ${ROUNDS - yours.length} presses left; paid so far: ${formatNumber(sum(yours.map(({ loss }) => loss)))}.`}
          </p>
          <Presses
            rounds={ROUNDS}
            names={NAMES}
            players={[
              { name: "You", presses: isOver ? yours.slice(0, replayed) : yours },
              {
                name: yours.length === 0 ? "Rival's earlier game" : "Rival",
                presses: isOver ? rivals.slice(0, replayed) : yours.length === 0 ? earlier.presses : null,
                count: yours.length,
              },
            ]}
          />
          <p class="note">
            {yours.length === 0 &&
              `The earlier game is one that went wrong: ${earlier.best} was the best button, and the rival pressed it ${timesText(earlier.found)} of its last ${LAST} presses. `}
            Each bar is a press: its letter is the button, its height the cost, on the logarithmic scale at the right.
          </p>
          {isOver && (
            <Scroller label="You and your rival">
              <table class="compact">
                <thead>
                  <tr>
                    <th scope="col">
                      after {replayed} {replayed === 1 ? "press" : "presses"}
                    </th>
                    <th scope="col">on {best}, the best</th>
                    <th scope="col">regret</th>
                    <th scope="col">paid</th>
                  </tr>
                </thead>
                <tbody>
                  {[
                    { name: "You", presses: yours },
                    { name: "MatchedTINF", presses: rivals },
                  ].map(({ name, presses }) => {
                    const seen = presses.slice(0, replayed);
                    return (
                      <tr key={name}>
                        <th scope="row">{name}</th>
                        <td>{seen.filter(({ button }) => NAMES[button] === best).length}</td>
                        <td>{formatNumber(regretOf(seen))}</td>
                        <td>{formatNumber(sum(seen.map(({ loss }) => loss)))}</td>
                      </tr>
                    );
                  })}
                </tbody>
              </table>
            </Scroller>
          )}
          {isOver && replayed === ROUNDS && (
            <p class="outcome">
              {verdict(
                [yours, rivals].map((presses) => sum(presses.map(({ loss }) => loss))),
                [yours, rivals].map(regretOf),
              )}
            </p>
          )}
          {isOver && (
            <p class="note">
              True means: {NAMES.map((name, button) => `${name} ${formatNumber(environment.mean(1, arm(button)))}`).join(", ")}. Regret is what the
              choices cost on average beyond the best button: it leaves the luck of single presses out.
            </p>
          )}
          <p>
            <button
              type="button"
              onClick={() => {
                setSeed(seed + 1);
                setYours([]);
              }}
            >
              New game
            </button>
          </p>
        </Stage>
      </figure>
    </div>
  );
}

/** Who won, and who chose better; of you and your rival. */
export function verdict(paid: readonly number[], regrets: readonly number[]): string {
  const winner = paid[0] === paid[1] ? "a draw" : paid[0]! < paid[1]! ? "you win" : "MatchedTINF wins";
  const [yours, rivals] = regrets as [number, number];
  // Of sums of the same gaps in another order, the last digits differ.
  const better = Math.abs(yours - rivals) < 1e-9 ? "you both chose equally well" : yours < rivals ? "you chose better" : "MatchedTINF chose better";
  return `You paid ${formatNumber(paid[0]!)} and MatchedTINF ${formatNumber(paid[1]!)}: ${winner}. By regret, ${formatNumber(yours)} and ${formatNumber(rivals)}, ${better}.`;
}

/** A new game, with many before it. */
function firstSeed(): number {
  return 1_000 + (crypto.getRandomValues(new Uint32Array(1))[0]! % 1_000_000);
}

/** The last game before this one in which the rival did not find the best button, and how often it pressed that button at the end. */
export function lostGame(seed: number): { presses: readonly Press[]; best: string; found: number } {
  const { environment, rotation } = runOf(GAME, { policy: 0, seed: seed - 1 });
  const best = NAMES.findIndex((_, button) => environment.gaps![(button + rotation) % environment.arms] === 0);
  const presses = rivalPresses(seed - 1);
  const found = presses.slice(-LAST).filter(({ button }) => button === best).length;
  return found > LAST / 2 ? lostGame(seed - 1) : { presses, best: NAMES[best]!, found };
}

function timesText(count: number): string {
  return count === 0 ? "in none" : `in ${count}`;
}

/** Counts the presses up, one after the other, once the game is over. */
function useReplay(isOver: boolean): number {
  const [shown, setShown] = useState(0);
  useEffect(() => {
    if (!isOver) return;
    setShown(wantsLessMotion() ? ROUNDS : 0);
    const timer = setInterval(() => setShown((count) => Math.min(ROUNDS, count + 1)), REPLAY_MS);
    return () => clearInterval(timer);
  }, [isOver]);
  return shown;
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}

export const YOU: Scene = {
  name: "you",
  title: "You against the algorithm",
  short: "You",
  claim: "With costs this wild, forty tries can be too few, for you and for the algorithm.",
  counted: "In 44 of 200 other games they are too few for MatchedTINF: at least half of its last 20 presses are not on the best button.",
  handles: [],
  race: () => GAME,
  Body,
};
