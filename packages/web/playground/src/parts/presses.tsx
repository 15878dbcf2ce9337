import { formatNumber } from "tsallis/statistics";
import { Scroller } from "../../../common/scroller.js";
import { useMedia } from "../../../common/useMedia.js";

interface Player {
  readonly name: string;
  /** Null while they are hidden. */
  readonly presses: readonly { readonly button: number; readonly loss: number }[] | null;
  /** How many hidden presses there are. */
  readonly count?: number;
}

interface Props {
  readonly rounds: number;
  readonly names: readonly string[];
  readonly players: readonly Player[];
}

const [CELL, TALL, LABEL, GAP, WORD, SCALE] = [15, 64, 52, 26, 14, 24];
const TICKS = [1, 10, 100];

const heightOf = (loss: number) => Math.min(TALL, 4 + 17 * Math.log10(1 + 10 * loss));

/**
 * One row for each player and one bar for each press: its colour and letter are the button, its height is the cost on a logarithmic scale. On a small screen a row has
 * two lines.
 */
export function Presses({ rounds, names, players }: Props) {
  const lines = useMedia("(max-width: 40rem)") ? 2 : 1;
  const perLine = rounds / lines;
  const row = TALL + GAP;
  const words = players.map(({ name, presses }) => `${name}: ${presses === null ? "hidden" : presses.map(({ button }) => names[button]).join(", ")}`);
  return (
    <Scroller label="All presses">
      <svg class="presses" viewBox={`0 0 ${LABEL + perLine * CELL + SCALE} ${players.length * lines * row}`} role="img" aria-label={words.join("; ")}>
        {players.map(({ name, presses, count = 0 }, player) => {
          const baseOf = (line: number) => (player * lines + line) * row + TALL + 6;
          const place = (i: number) => ({ left: LABEL + (i % perLine) * CELL, base: baseOf(Math.floor(i / perLine)) });
          return (
            <g key={name}>
              {name.split(" ").map((word, i, { length }) => (
                <text key={word} x={0} y={baseOf(0) - (length - 1 - i) * WORD}>
                  {word}
                </text>
              ))}
              {Array.from({ length: lines }, (_, line) => (
                <g key={line}>
                  <line x1={LABEL} x2={LABEL + perLine * CELL} y1={baseOf(line)} y2={baseOf(line)} />
                  {TICKS.map((tick) => (
                    <g key={tick}>
                      <line
                        class="tick"
                        x1={LABEL}
                        x2={LABEL + perLine * CELL}
                        y1={baseOf(line) - heightOf(tick)}
                        y2={baseOf(line) - heightOf(tick)}
                      />
                      <text class="letter" x={LABEL + perLine * CELL + 4} y={baseOf(line) - heightOf(tick) + 3}>
                        {tick}
                      </text>
                    </g>
                  ))}
                </g>
              ))}
              {presses === null
                ? Array.from({ length: count }, (_, i) => (
                    <text key={i} class="hidden-press" x={place(i).left + CELL / 2} y={place(i).base - 6} text-anchor="middle">
                      ?
                    </text>
                  ))
                : presses.map(({ button, loss }, i) => {
                    const height = heightOf(loss);
                    const { left, base } = place(i);
                    return (
                      <g key={i}>
                        <rect class={`button-${button}`} x={left + 2} y={base - height} width={CELL - 4} height={height}>
                          <title>{`${names[button]}: ${formatNumber(loss)}`}</title>
                        </rect>
                        <text class="letter" x={left + CELL / 2} y={base + 12} text-anchor="middle">
                          {names[button]![0]}
                        </text>
                      </g>
                    );
                  })}
            </g>
          );
        })}
      </svg>
    </Scroller>
  );
}
