import { formatInterval, formatNumber } from "tsallis/statistics";

interface Props {
  readonly value: { readonly estimate: number; readonly low: number; readonly high: number } | null;
}

/** An estimate with its interval. */
export function Estimate({ value }: Props) {
  if (value === null) return <>–</>;
  return (
    <>
      {formatNumber(value.estimate)} <span class="interval">{formatInterval(value.low, value.high)}</span>
    </>
  );
}
