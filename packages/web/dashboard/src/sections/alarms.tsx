import type { Alarm } from "@tsallis/service/client";
import { Mark } from "../../../common/mark.js";
import { unbroken } from "../../../common/unbroken.js";
import { Section } from "./section.js";

interface Props {
  readonly alarms: readonly Alarm[];
  readonly rewards: number;
  readonly isStale: boolean;
}

export function Alarms({ alarms, rewards, isStale }: Props) {
  return (
    <Section id="alarms" title="Alarms">
      {alarms.length === 0 && (
        <p>
          <Mark level={isStale ? "off" : "good"} />
          {isStale ? "None when the service last answered." : "None."}
        </p>
      )}
      {alarms.length > 0 && (
        <ul class="alarms">
          {alarms.map(({ code, message, remedy }) => (
            <li key={code}>
              <p>
                <Mark level="warn" />
                <strong>{code}</strong>
              </p>
              <p>{unbroken(message)}</p>
              <p class="note">{unbroken(remedy)}</p>
            </li>
          ))}
        </ul>
      )}
      {rewards > 0 && (
        <p class="aside">
          <strong>This bandit is told rewards.</strong> A reward is recorded as the loss −reward. The guarantee of many policies assumes truncated
          non-negativity: large losses, which are very negative rewards, may be heavy-tailed; large gains must not be. If the rewards themselves have
          a heavy right tail, as revenue has, the assumption is violated and the guarantee does not hold.
        </p>
      )}
    </Section>
  );
}
