import { formatMoment } from "../../../common/formatTime.js";
import { type BanditRoute, banditAddress, PERIODS, type Period } from "../route/route.js";

/** Which period the page is about. Its address has it, so that a moment can be passed on. */
export function PeriodPicker({ route }: { readonly route: BanditRoute }) {
  const { name, to } = route;
  return (
    <div class="asking periods">
      <label for="period">Period</label>
      <select
        id="period"
        value={route.period}
        onChange={(event) => (location.hash = banditAddress(name, { ...route, period: event.currentTarget.value as Period }))}
      >
        {Object.entries(PERIODS).map(([period, words]) => (
          <option value={period} key={period}>
            {words}
          </option>
        ))}
      </select>
      {to !== "" && (
        <span>
          up to {formatMoment(Date.parse(to))}. <a href={banditAddress(name, { ...route, to: "" })}>Back to now</a>
        </span>
      )}
    </div>
  );
}
