import { type Choice, POLICIES, type Policy, type Rng, TsallisError } from "tsallis";
import { LabError } from "../labError.js";
import { ensure } from "./ensure.js";
import { placeOf } from "./placeOf.js";

/** What a run asks of a policy. @inline */
export type Played = Pick<Policy, "choose" | "update" | "details">;

/** A new policy of the user's own, whose errors say which policy and method they are of, and in which round; an arm that is none is one of them. */
export function accountable(name: string, policy: Policy): Played {
  let round = 0;
  const asking = <T>(method: keyof Played, ask: () => T): T => {
    try {
      return ask();
    } catch (error) {
      if (error instanceof TsallisError || error instanceof LabError) throw error;
      const thrown = error instanceof Error ? `${error.name}: ${error.message}` : typeof error === "string" ? JSON.stringify(error) : String(error);
      throw new LabError("ERR_CONFORMANCE", `in round ${round}, ${method} of the policy ${name} threw ${thrown}${placeOf(error)}`);
    }
  };
  return {
    choose(rng: Rng, into?: Choice): Choice {
      round++;
      const choice = asking("choose", () => policy.choose(rng, into));
      const arm = choice?.arm;
      ensure(
        Number.isInteger(arm) && arm >= 0 && arm < policy.arms,
        `in round ${round}, choose of the policy ${name} must return a Choice with an integer in [0, ${policy.arms - 1}] as its arm, got ${JSON.stringify(arm)}`,
      );
      return choice;
    },
    update: (choice, loss) => asking("update", () => policy.update(choice, loss)),
    details: () => asking("details", () => policy.details()),
  };
}

const OURS = new Set(Object.keys(POLICIES));

/** The library's own policies need no account, and are played without a detour. */
export function accountableIfOwn(name: string, policy: Policy): Played {
  return OURS.has(name) ? policy : accountable(name, policy);
}
