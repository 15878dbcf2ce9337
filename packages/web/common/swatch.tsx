import type { SeriesStyle } from "./seriesStyle.js";

/** A piece of a series, as it looks in the chart. */
export function Swatch({ style, line = false }: { readonly style: SeriesStyle; readonly line?: boolean }) {
  return (
    <svg class={`swatch ${style.colour}`} viewBox="0 0 18 10" aria-hidden="true">
      {line ? (
        <line x1="0" y1="5" x2="18" y2="5" stroke="currentColor" stroke-width="2.5" stroke-dasharray={style.dash.join(" ")} />
      ) : (
        <rect width="18" height="10" rx="2" fill="currentColor" />
      )}
    </svg>
  );
}
