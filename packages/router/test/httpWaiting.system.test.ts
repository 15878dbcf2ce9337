import { stream } from "tsallis";
import { afterEach, expect, onTestFinished, test } from "vitest";
import { createRouter } from "../src/index.js";
import { answer, hang, type StandIn, standIns, stopAll } from "./standIn.js";

afterEach(stopAll);

test("over HTTP, requests that still wait are learned by default", async () => {
  let time = 0;
  const [good, bad] = (await standIns(answer("ok"), answer("ok"))) as [StandIn, StandIn];
  const router = createRouter({ upstreams: [bad.url, good.url], timeoutMs: 5000, seed: 1, clockSeconds: () => time });
  onTestFinished(() => router.close());
  const get = async () => {
    const response = await router.fetch("/");
    await response.text();
  };
  // Each look at this clock moves it a little, so an answer takes a few of its milliseconds.
  const noise = stream(2, "noise");
  const behave = (server: StandIn, least: number) => {
    server.behaviour = (request, response) => {
      time += least + 0.01 * noise.uniform();
      answer("ok")(request, response);
    };
  };
  behave(bad, 0.01);
  behave(good, 0.03);
  for (let i = 0; i < 200; i++) await get();
  const ofBad = () => router.explain().upstreams.find(({ upstream }) => upstream === bad.url)!;
  expect(ofBad().probability).toBeGreaterThan(0.8);
  bad.behaviour = hang;
  const caller = new AbortController();
  const waiting: Promise<unknown>[] = [];
  for (let i = 0; i < 100 && ofBad().overdue === 0; i++) {
    time += 0.05;
    waiting.push(router.fetch("/", { signal: caller.signal }).catch(() => {}));
    await new Promise((resolve) => setImmediate(resolve));
  }
  expect(ofBad().overdue).toBeGreaterThan(0);
  caller.abort();
  await Promise.all(waiting);
});
