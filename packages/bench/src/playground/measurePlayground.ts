import type { AddressInfo } from "node:net";
import { staticServer } from "@tsallis/cli/dist/serving/staticServer.js";
import { Failure } from "@tsallis/cli/dist/text/failure.js";
import { Play, resolveRun } from "@tsallis/lab/play";
import { type Browser, chromium, type Page } from "playwright-core";
import { quantile } from "tsallis/statistics";
import { browserPath } from "./browserPath.js";
import { framesOf } from "./frames.js";

export interface PlaygroundSize {
  /** Of the race of eight lanes, of that of one lane, and of the shorter one whose memory is compared. */
  readonly rounds: number;
  readonly lane: number;
  readonly short: number;
}

export interface PlaygroundMeasurements {
  readonly size: PlaygroundSize;
  readonly browser: string;
  /** From the call for the page to the first round on it, in seconds. */
  readonly firstMove: number;
  /** Seconds until all lanes had played all rounds. */
  readonly eightLanes: number;
  readonly frames: number;
  /** Milliseconds. */
  readonly script95: number;
  readonly longestTask: number;
  /** Rounds per second of one lane, in the page and in Node. */
  readonly page: number;
  readonly node: number;
  /** Bytes in use on the page after the short and the long race. */
  readonly heapShort: number;
  readonly heapLong: number;
}

const FOLDER = new URL("../../../cli/playground/", import.meta.url);
const CATEGORIES = ["toplevel", "blink", "v8", "devtools.timeline", "disabled-by-default-devtools.timeline"];
const WORLD = {
  environment: "stochastic",
  alpha: 1.5,
  arms: [1, 1.5, 2, 2.5].map((scale) => ({ distribution: "lomax", shape: 1.6, scale })),
};
const POLICIES = ["matched-tinf", "htinf", "opttinf", "adatinf", "ada2tinf", "tsallis-inf", "ucb1", "exp3"].map((policy) => ({
  label: policy,
  spec: { policy, ...(policy === "htinf" && { alpha: "promised", sigma: "promised" }) },
}));

/** Measures the playground as it is built, in real Chromium. */
export async function measurePlayground(size: PlaygroundSize, say: (what: string) => void, signal: AbortSignal): Promise<PlaygroundMeasurements> {
  const server = staticServer(FOLDER);
  if (server === null) throw new Failure("ERR_FILE", "the playground is not built; run: npm run build", "playground");
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const args = ["--disable-gpu", "--no-first-run", "--disable-background-networking", "--disable-component-update"];
  const browser = await chromium.launch({ executablePath: browserPath(), args: process.getuid?.() === 0 ? ["--no-sandbox", ...args] : args });
  const stop = () => browser.close();
  signal.addEventListener("abort", stop);
  try {
    say("the first scene");
    const firstMove = await firstMoveOf(browser, origin);
    say(`one lane of ${size.lane} rounds, in Node and in the page`);
    const node = inNode(size.lane);
    const page = size.lane / (await played(browser, origin, POLICIES.slice(0, 1), size.lane)).seconds;
    say(`eight lanes of ${size.short} and of ${size.rounds} rounds`);
    const { heap: heapShort } = await played(browser, origin, POLICIES, size.short);
    const { seconds, heap: heapLong, script, longestTask } = await played(browser, origin, POLICIES, size.rounds, true);
    return {
      size,
      browser: browser.version(),
      firstMove,
      eightLanes: seconds,
      frames: script.length,
      script95: quantile(script, 0.95),
      longestTask,
      page,
      node,
      heapShort,
      heapLong,
    };
  } finally {
    signal.removeEventListener("abort", stop);
    await browser.close();
    server.close();
  }
}

/** The median of five loads. */
async function firstMoveOf(browser: Browser, origin: string): Promise<number> {
  const times: number[] = [];
  for (let i = 0; i < 5; i++) {
    const page = await browser.newPage();
    const start = performance.now();
    await page.goto(origin);
    await page.waitForFunction(
      () => Number((globalThis as never as { document: ParentNodeLike }).document.querySelector("progress")?.value ?? 0) > 0,
    );
    times.push((performance.now() - start) / 1000);
    await page.close();
  }
  return quantile(times, 0.5);
}

interface ParentNodeLike {
  querySelector(selector: string): { readonly value: number } | null;
}

/** The same loop with the same hash, here. */
function inNode(rounds: number): number {
  const document = { horizon: rounds, environments: { world: WORLD }, policies: { lane: POLICIES[0]!.spec } };
  const play = new Play(resolveRun(document, { environment: "world", policy: "lane", seed: 1, sweep: null }), { seed: 1, runHash: true });
  const start = performance.now();
  play.advance(rounds);
  return rounds / ((performance.now() - start) / 1000);
}

/** Plays a race in the sandbox to its last round. It opens with a thousand rounds per second: what is played before the click is a small part. */
async function played(browser: Browser, origin: string, policies: typeof POLICIES, rounds: number, traced = false) {
  const page = await browser.newPage();
  const state = { scene: "sandbox", race: { world: WORLD, policies, seeds: 1, rounds } };
  await page.goto(`${origin}/#1.${Buffer.from(JSON.stringify(state)).toString("base64url")}`);
  const end = page.getByRole("button", { name: "To the end" });
  await end.waitFor();
  if (traced) await browser.startTracing(page, { categories: CATEGORIES });
  const start = performance.now();
  await end.click();
  await page.getByRole("button", { name: "Play again" }).waitFor({ timeout: 600_000 });
  const seconds = (performance.now() - start) / 1000;
  const frames = traced ? framesOf(JSON.parse((await browser.stopTracing()).toString()).traceEvents) : { script: [], longestTask: 0 };
  const heap = await heapOf(page);
  await page.close();
  return { seconds, heap, ...frames };
}

/** What is in use after a collection. */
async function heapOf(page: Page): Promise<number> {
  const session = await page.context().newCDPSession(page);
  await session.send("HeapProfiler.collectGarbage");
  return (await session.send("Runtime.getHeapUsage")).usedSize;
}
