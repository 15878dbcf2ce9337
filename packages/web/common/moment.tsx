import { formatAgo, formatMoment } from "./formatTime.js";

/** A time of the service: how long ago, or with `full` as day and time. */
export function Moment({ at, now = Date.now(), full = false }: { readonly at: string; readonly now?: number; readonly full?: boolean }) {
  const exact = formatMoment(Date.parse(at));
  return (
    <time dateTime={at} title={exact}>
      {full ? exact : formatAgo((now - Date.parse(at)) / 1000)}
    </time>
  );
}
