import { useMemo, useRef } from "preact/hooks";
import { createDistribution, type DetailedDistribution, type DistributionSpec } from "tsallis";
import { formatNumber } from "tsallis/statistics";
import { tickText } from "../../../common/axis.js";
import { bent, canBend, type Grip, placeOf } from "../state/bent.js";
import { type Axis, axisOf, densityCurve, hasRoom, ticksOf } from "../state/densityCurve.js";
import { replaced } from "../state/replaced.js";

interface Props {
  readonly distributions: readonly { readonly name: string; readonly spec: DistributionSpec }[];
  /** Shows a distribution while it is dragged; null for distributions that cannot be. */
  readonly onBend: ((place: number, spec: DistributionSpec) => void) | null;
  /** When it has been let go. */
  onDone?(): void;
  /** Whether the world can be played with another distribution. */
  canPlay?(place: number, spec: DistributionSpec): boolean;
}

const PIECES = 100;
/** A stable distribution has no formula: each value is an integral. */
const FEW_PIECES = 25;
const WORDS: Readonly<Record<Grip, string>> = { mean: "mean loss of", tail: "one loss of ten is above, for" };

/** The densities of the arms, one above the other over the same axis. Their means and their tails can be dragged, or moved with the arrow keys. */
export function DensityEditor({ distributions, onBend, onDone, canPlay }: Props) {
  const made = distributions.map(({ spec }) => distributionOf(spec));
  const key = JSON.stringify(distributions);
  const sound = made.filter((distribution) => distribution !== null);
  const own = useMemo(() => axisOf(sound), [key]);
  // While something is dragged the axis stands still, and afterwards too as long as it has room: a handle that moves right must not come to lie further left.
  const kept = useRef({ axis: own, key, isHeld: false });
  if (kept.current.key !== key || !(kept.current.isHeld || hasRoom(kept.current.axis, sound))) kept.current = { axis: own, key, isHeld: false };
  const { axis } = kept.current;
  const done = () => {
    kept.current.isHeld = false;
    onDone?.();
  };
  const bend = (place: number, spec: DistributionSpec) => {
    kept.current.key = JSON.stringify(replaced(distributions, place, { ...distributions[place]!, spec }));
    onBend?.(place, spec);
  };
  return (
    <div class="ridges">
      {distributions.map(({ name, spec }, i) => (
        <Ridge
          key={name}
          spec={spec}
          distribution={made[i]!}
          axis={axis}
          name={name}
          onHold={() => {
            kept.current.isHeld = true;
          }}
          {...(canPlay && { canPlay: (next) => canPlay(i, next) })}
          onBend={onBend && ((next) => bend(i, next))}
          onDone={done}
        />
      ))}
      <div class="ridge axis" aria-hidden="true">
        {ticksOf(axis).map((tick) => (
          <span key={tick} style={{ left: `${(100 * (tick - axis.low)) / (axis.high - axis.low)}%` }}>
            {tickText(tick)}
          </span>
        ))}
      </div>
    </div>
  );
}

interface RidgeProps {
  readonly spec: DistributionSpec;
  /** Null if the spec is no distribution. */
  readonly distribution: DetailedDistribution | null;
  readonly axis: Axis;
  readonly name: string;
  onHold(): void;
  readonly onBend: ((spec: DistributionSpec) => void) | null;
  onDone(): void;
  canPlay?(spec: DistributionSpec): boolean;
}

function Ridge({ spec, distribution, axis, name, onHold, onBend, onDone, canPlay }: RidgeProps) {
  const key = JSON.stringify(spec);
  const curve = useMemo(
    () => (distribution === null ? [] : densityCurve(distribution, axis, key.includes('"stable"') ? FEW_PIECES : PIECES)),
    [key, axis.low, axis.high],
  );
  const grips = useMemo(
    () => (distribution === null ? [] : (["mean", "tail"] as const).filter((grip) => onBend !== null && canBend(spec, distribution, grip))),
    [key],
  );
  const points = curve.flatMap((share, piece) => [`${piece},${1 - share}`, `${piece + 1},${1 - share}`]);
  return (
    <div class="ridge">
      <svg viewBox={`0 0 ${Math.max(1, curve.length)} 1`} preserveAspectRatio="none" aria-hidden="true">
        {curve.length > 0 && <polygon points={`0,1 ${points.join(" ")} ${curve.length},1`} />}
      </svg>
      <span class="ridge-name">{distribution === null ? `${name}: no distribution` : `${name}, mean ${formatNumber(distribution.mean)}`}</span>
      {grips.map((grip) => (
        <Handle
          key={grip}
          grip={grip}
          label={`${WORDS[grip]} ${name}`}
          axis={axis}
          at={placeOf(distribution!, grip)}
          onHold={onHold}
          onMove={(target) => {
            const next = bent(spec, grip, target, canPlay);
            if (next !== null) onBend!(next);
          }}
          onDone={onDone}
        />
      ))}
    </div>
  );
}

interface HandleProps {
  readonly grip: Grip;
  readonly label: string;
  readonly axis: Axis;
  readonly at: number;
  onHold(): void;
  onMove(target: number): void;
  onDone(): void;
}

const KEYS: Readonly<Record<string, number>> = { ArrowLeft: -1, ArrowDown: -1, ArrowRight: 1, ArrowUp: 1, PageDown: -10, PageUp: 10 };

function Handle({ grip, label, axis: { low, high }, at, onHold, onMove, onDone }: HandleProps) {
  const isHeld = useRef(false);
  const hold = () => {
    isHeld.current = true;
    onHold();
  };
  const release = () => {
    if (isHeld.current) onDone();
    isHeld.current = false;
  };
  const follow = (event: PointerEvent) => {
    if (!isHeld.current) return;
    const { left, width } = (event.currentTarget as HTMLElement).parentElement!.getBoundingClientRect();
    onMove(low + ((event.clientX - left) / width) * (high - low));
  };
  const share = Math.min(1, Math.max(0, (at - low) / (high - low)));
  return (
    <div
      class={`grip ${grip}`}
      role="slider"
      tabIndex={0}
      aria-label={label}
      aria-valuemin={low}
      aria-valuemax={high}
      aria-valuenow={at}
      aria-valuetext={formatNumber(at)}
      style={{ left: `${100 * share}%` }}
      onPointerDown={(event) => {
        event.currentTarget.setPointerCapture(event.pointerId);
        hold();
      }}
      onPointerMove={follow}
      onPointerUp={release}
      onPointerCancel={release}
      onKeyDown={(event) => {
        const steps = KEYS[event.key];
        if (steps === undefined) return;
        event.preventDefault();
        if (!isHeld.current) hold();
        onMove(at + (steps * (high - low)) / 100);
      }}
      onKeyUp={release}
      onBlur={release}
    />
  );
}

function distributionOf(spec: DistributionSpec): DetailedDistribution | null {
  try {
    return createDistribution(spec);
  } catch {
    // The form shows why.
    return null;
  }
}
