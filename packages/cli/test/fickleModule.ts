import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** A module that loads another. If its folder holds a file "edit", the other changes after the process has loaded it, and before its threads do. */
const MINE = `import { existsSync, writeFileSync } from "node:fs";
import { isMainThread } from "node:worker_threads";
import { first } from "./lib.mjs";

if (isMainThread && existsSync(new URL("edit", import.meta.url))) writeFileSync(new URL("lib.mjs", import.meta.url), "export const first = 1;\\n");

class Mine {
  round = 0;
  constructor(arms) {
    this.arms = arms;
    this.spec = { policy: "mine" };
    this.policyId = "mine of " + arms;
  }
  choose() {
    return { policy: this.policyId, round: ++this.round, arm: first, probability: 1, threshold: null };
  }
  update() {}
  details() {
    return {};
  }
}

export const policies = { mine: { parameters: {}, description: "one arm", needs: [], guarantee: null, create: ({ arms }) => new Mine(arms) } };
`;

/** Writes it into a new folder, and returns its path. */
export function writeFickleModule(folder: string, { edit }: { readonly edit: boolean }): string {
  mkdirSync(folder);
  writeFileSync(join(folder, "mine.mjs"), MINE);
  writeFileSync(join(folder, "lib.mjs"), "export const first = 0;\n");
  if (edit) writeFileSync(join(folder, "edit"), "");
  return join(folder, "mine.mjs");
}
