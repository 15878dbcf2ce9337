import { BalancedPool } from "undici";
import { expect, it } from "vitest";
import { createRouter } from "../src/createRouter.js";
import { ENDINGS } from "./dropInEndings.js";
import { REQUESTS } from "./dropInRequests.js";
import { type Make, Stage } from "./dropInStage.js";
import { UPSTREAMS } from "./dropInUpstreams.js";

const theirs: Make = (upstreams, options) => new BalancedPool(upstreams as string[], options);
const ours: Make = (upstreams, options) => createRouter({ upstreams: upstreams as string[], pool: options, seed: 1 }).dispatcher();

/** Plays each case twice, through undici's BalancedPool and through the router's dispatcher, against real servers: the outcomes must be the same. */
export function compareAll(): void {
  it.each(Object.entries({ ...REQUESTS, ...ENDINGS, ...UPSTREAMS }))("%s", async (_name, play) => {
    async function played(make: Make): Promise<unknown> {
      const stage = new Stage(make);
      try {
        return await play(stage);
      } finally {
        await stage.end();
      }
    }
    expect(await played(ours)).toEqual(await played(theirs));
  });
}
