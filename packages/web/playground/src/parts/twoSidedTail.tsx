import { useRef } from "preact/hooks";
import { formatPercent } from "tsallis/statistics";
import { tickText } from "../../../common/axis.js";

interface Props {
  /** The loss of most rounds. */
  readonly usual: number;
  /** How far the rare losses are from it, on either side. */
  readonly size: number;
  /** The share of the rare losses that are gains. */
  readonly share: number;
  onShare(share: number): void;
}

const [WIDTH, HEIGHT, MIDDLE, REACH, BASE] = [460, 94, 230, 170, 62];
const TALL = 44;

/** The losses of an arm that has a tail: where it usually is, and how its rare part is divided. The tail follows the mouse from one side to the other. */
export function TwoSidedTail({ usual, size, share, onShare }: Props) {
  const place = useRef<SVGSVGElement>(null);
  const follow = (event: PointerEvent) => {
    if (event.buttons === 0) return;
    const { left, width } = place.current!.getBoundingClientRect();
    const at = ((event.clientX - left) / width) * WIDTH;
    // From the left end, where nothing is a gain, to the right, as the slider does.
    const wanted = Math.min(1, Math.max(0, (at - MIDDLE + REACH) / (2 * REACH)));
    onShare(Math.round(wanted * 20) / 20);
  };
  const side = (sign: number, part: number) => (
    <>
      <rect class={sign > 0 ? "gain" : "cost"} x={MIDDLE + sign * REACH - 14} y={BASE - TALL * part} width={28} height={TALL * part} />
      <text x={MIDDLE + sign * REACH} y={HEIGHT - 6} text-anchor="middle">
        {part === 0 ? "" : `${sign > 0 ? "gains" : "costs"} ${tickText(Math.abs(usual - sign * size))}`}
      </text>
    </>
  );
  return (
    <svg
      ref={place}
      class="two-sided"
      viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
      role="img"
      aria-label={`Losses of arm 1: usually ${tickText(usual)}; of its rare large ones ${formatPercent(share)} are gains`}
      onPointerDown={(event) => {
        event.currentTarget.setPointerCapture(event.pointerId);
        follow(event);
      }}
      onPointerMove={follow}
    >
      <line x1={20} x2={WIDTH - 20} y1={BASE} y2={BASE} />
      {side(1, share)}
      {side(-1, 1 - share)}
      <rect class="usual" x={MIDDLE - 14} y={6} width={28} height={BASE - 6} />
      <text x={MIDDLE} y={HEIGHT - 6} text-anchor="middle">
        {`usually costs ${tickText(usual)}`}
      </text>
      <text x={MIDDLE + 24} y={16}>
        arm 1, not to scale
      </text>
      <circle class="knob" cx={MIDDLE - REACH + 2 * REACH * share} cy={BASE} r={9} />
    </svg>
  );
}
