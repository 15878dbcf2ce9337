import { useEffect, useLayoutEffect, useRef } from "preact/hooks";
import uPlot from "uplot";
import type { Scheme } from "./palette.js";
import { useScheme } from "./useScheme.js";

export type PlotOptions = Omit<uPlot.Options, "width" | "height">;

interface Props {
  /** What the chart shows, for those who do not see it. */
  readonly label: string;
  readonly options: (scheme: Scheme) => PlotOptions;
  /** Names what the options depend on: the plot is rebuilt when it changes. */
  readonly shape: string;
  readonly data: uPlot.AlignedData;
  readonly height: number;
  /** The point that is looked at, in the legend too. */
  readonly at: number;
  /** Tells the point that the mouse or the arrow keys are at; null for none. */
  readonly onPoint: (point: number | null) => void;
  /** A point in words. */
  readonly describe: (point: number) => string;
  /** Draws the same data once more when it changes. */
  readonly redrawOn?: unknown;
}

/** A chart on a canvas that follows the width of its place and the system's colours. The arrow keys move along it: above it lies a slider that is not seen. */
export function Plot({ label, options, shape, data, height, at, onPoint, describe, redrawOn }: Props) {
  const scheme = useScheme();
  const place = useRef<HTMLDivElement>(null);
  const plot = useRef<uPlot>(undefined);
  const report = useRef(onPoint);
  report.current = onPoint;

  // The shape stands for the options, and new data need no new plot.
  useLayoutEffect(() => {
    const element = place.current!;
    const own = options(scheme);
    const hooks = { ...own.hooks, setCursor: [(made: uPlot) => report.current(made.cursor.idx ?? null)] };
    const made = new uPlot({ ...own, width: element.clientWidth, height, hooks }, data, element);
    plot.current = made;
    const observer = new ResizeObserver(() => {
      if (element.clientWidth > 0 && element.clientWidth !== made.width) made.setSize({ width: element.clientWidth, height });
    });
    observer.observe(element);
    return () => {
      observer.disconnect();
      made.destroy();
    };
  }, [scheme, shape, height]);

  useEffect(() => {
    if (plot.current?.data !== data) plot.current?.setData(data);
  }, [data]);

  useEffect(() => plot.current?.redraw(false), [redrawOn]);

  const moveTo = (index: number) => {
    const made = plot.current!;
    made.setCursor({ left: made.valToPos(made.data[0][index]!, "x"), top: made.over.clientHeight / 2 });
  };
  const leave = () => plot.current?.setCursor({ left: -10, top: -10 });
  return (
    <div class="chart">
      <div ref={place} aria-hidden="true" />
      <input
        type="range"
        min={0}
        max={data[0].length - 1}
        value={at}
        aria-label={label}
        aria-valuetext={describe(at)}
        onInput={(event) => moveTo(Number(event.currentTarget.value))}
        onBlur={leave}
      />
    </div>
  );
}
