import { Option } from "@commander-js/extra-typings";

/** The policies to play in place of the document's, in the order given. */
export function policyOption() {
  return new Option(
    "--policy <policy>",
    "play only this policy: a label of the document, a name of tsallis list policies, or a spec as JSON; may be repeated; leaves out the claim",
  )
    .argParser((policy: string, policies: string[]) => [...policies, policy])
    .default([], "those of the document");
}
