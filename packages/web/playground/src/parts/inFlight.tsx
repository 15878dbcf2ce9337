import { formatCount } from "tsallis/statistics";

interface Props {
  readonly round: number;
  /** Rounds until a loss is learned. */
  readonly delay: number;
}

const MOST_DOTS = 40;
const [WIDTH, HEIGHT, EDGE] = [640, 28, 14];

/** The losses that are on their way, from the left, where they are played, to the right, where they are learned. */
export function InFlight({ round, delay }: Props) {
  const each = Math.max(1, Math.ceil(delay / MOST_DOTS));
  const flying = Math.min(round, delay);
  const newest = Math.floor(round / each);
  const dots = Array.from({ length: Math.max(0, newest - Math.floor((round - flying) / each)) }, (_, i) => newest - i);
  if (delay === 0) return null;
  const words = `${formatCount(flying)} ${flying === 1 ? "loss is" : "losses are"} on the way, played and not yet learned${each > 1 ? `; one dot stands for ${each}` : ""}.`;
  return (
    <div class="flight">
      <div class="flight-ends" aria-hidden="true">
        <span>played</span>
        <span>learned</span>
      </div>
      <svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} aria-hidden="true">
        <line x1={EDGE} x2={WIDTH - EDGE} y1={HEIGHT / 2} y2={HEIGHT / 2} />
        {dots.map((dot) => (
          <circle key={dot} cx={EDGE + ((round - dot * each) / delay) * (WIDTH - 2 * EDGE)} cy={HEIGHT / 2} r={5} />
        ))}
      </svg>
      <p class="note">{words}</p>
    </div>
  );
}
