import { Play } from "@tsallis/lab/play";
import { useState } from "preact/hooks";
import { formatNumber } from "tsallis/statistics";
import { Scroller } from "../../../common/scroller.js";
import { type Race, runOf } from "../engine/race.js";
import type { Scene } from "./scene.js";

const ROUNDS = 40;
const NAMES = ["Left", "Middle", "Right"];

/** Which button is best depends on the seed. */
const RACE: Race = {
  world: {
    environment: "stochastic",
    alpha: 1.5,
    rotate: true,
    arms: [
      { distribution: "lomax", shape: 1.6, scale: 0.6 },
      { distribution: "lomax", shape: 1.6, scale: 1.8 },
      { distribution: "lomax", shape: 1.6, scale: 3 },
    ],
  },
  policies: [
    { label: "HTINF", spec: { policy: "htinf", alpha: "promised", sigma: "promised" } },
    { label: "MatchedTINF", spec: { policy: "matched-tinf" } },
  ],
  seeds: 1,
  rounds: ROUNDS,
};

interface Round {
  readonly button: number;
  readonly loss: number;
}

function Body() {
  const [seed, setSeed] = useState(1);
  const [rounds, setRounds] = useState<readonly Round[]>([]);
  const { environment, rotation } = runOf(RACE, { policy: 0, seed });
  const arm = (button: number) => (button + rotation) % environment.arms;
  const isOver = rounds.length === ROUNDS;
  const press = (button: number) => setRounds([...rounds, { button, loss: environment.loss(rounds.length + 1, arm(button)) }]);
  const last = rounds.at(-1);
  return (
    <>
      <p class="words">
        Each button costs something, every time another amount. One of them costs least on average, and the amounts are wild: now and then even the
        best one hits hard. You have {ROUNDS} presses. Pay as little as you can.
      </p>
      <div class="buttons">
        {NAMES.map((name, button) => (
          <button type="button" key={name} aria-disabled={isOver} onClick={() => isOver || press(button)}>
            {name}
          </button>
        ))}
      </div>
      <p aria-live="polite">
        {last === undefined
          ? `${ROUNDS} presses left.`
          : `${NAMES[last.button]} cost ${formatNumber(last.loss)}. ${ROUNDS - rounds.length} presses left; paid so far: ${formatNumber(sum(rounds.map(({ loss }) => loss)))}.`}
      </p>
      <Scroller label="What each button has cost you">
        <table>
          <thead>
            <tr>
              <th scope="col">button</th>
              <th scope="col">pressed</th>
              <th scope="col">average</th>
              <th scope="col">largest</th>
              {isOver && <th scope="col">true mean</th>}
            </tr>
          </thead>
          <tbody>
            {NAMES.map((name, button) => {
              const losses = rounds.filter((round) => round.button === button).map(({ loss }) => loss);
              return (
                <tr key={name}>
                  <th scope="row">{name}</th>
                  <td>{losses.length}</td>
                  <td>{losses.length === 0 ? "–" : formatNumber(sum(losses) / losses.length)}</td>
                  <td>{losses.length === 0 ? "–" : formatNumber(Math.max(...losses))}</td>
                  {isOver && <td>{formatNumber(environment.mean(1, arm(button)))}</td>}
                </tr>
              );
            })}
          </tbody>
        </table>
      </Scroller>
      {isOver && <Verdict seed={seed} rounds={rounds} />}
      <p>
        <button
          type="button"
          onClick={() => {
            setSeed(seed + 1);
            setRounds([]);
          }}
        >
          New game
        </button>
      </p>
      <p class="words try">
        Try this: press every button until its average seems to settle. How often did one press overturn what you believed? The average of such costs
        settles slowly, and it moves in jumps: that is what the policies of this page are made for.
      </p>
    </>
  );
}

/** The same table of losses, played by the policies. */
function Verdict({ seed, rounds }: { readonly seed: number; readonly rounds: readonly Round[] }) {
  const { environment, rotation } = runOf(RACE, { policy: 0, seed });
  const best = environment.gaps!.indexOf(0);
  const means = rounds.map(({ button }) => environment.mean(1, (button + rotation) % environment.arms) - environment.mean(1, best));
  const players = [
    { name: "You", regret: sum(means), paid: sum(rounds.map(({ loss }) => loss)) },
    ...RACE.policies.map(({ label }, policy) => {
      const play = new Play(runOf(RACE, { policy, seed }), { seed });
      play.advance(ROUNDS);
      const { pseudoRegret, realizedRegret } = play.totals();
      return { name: label, regret: pseudoRegret, paid: realizedRegret + environment.meanSum(ROUNDS, best) };
    }),
  ];
  return (
    <>
      <p class="words">
        On the same table of costs, pressed by two policies. HTINF is told how heavy the tails are; MatchedTINF knows as little as you did. Regret is
        what the choices cost on average more than the best button would have: it leaves the luck of single presses out.
      </p>
      <Scroller label="You and the policies">
        <table>
          <thead>
            <tr>
              <th scope="col">player</th>
              <th scope="col">regret</th>
              <th scope="col">paid</th>
            </tr>
          </thead>
          <tbody>
            {players.map(({ name, regret, paid }) => (
              <tr key={name}>
                <th scope="row">{name}</th>
                <td>{formatNumber(regret)}</td>
                <td>{formatNumber(paid)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </Scroller>
    </>
  );
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}

export const YOU: Scene = {
  name: "you",
  title: "You against the algorithm",
  claim: "With costs this wild, forty tries are few, for you and for the algorithm.",
  handles: [],
  race: () => RACE,
  Body,
};
