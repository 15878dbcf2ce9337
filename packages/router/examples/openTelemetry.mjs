// OpenTelemetry from the router's channels: a span for every request, a histogram of the losses, a counter of alarms.
// Run it: node packages/router/examples/openTelemetry.mjs
import { subscribe } from "node:diagnostics_channel";
import { metrics, SpanKind, SpanStatusCode, trace } from "@opentelemetry/api";
import { createRouter } from "@tsallis/router";
import { standInSdk } from "./openTelemetrySdk.mjs";
import { slowHello, standIn, underLoad } from "./standIn.mjs";

// In your program, the SDK that you have: new NodeSDK({ ... }).start() of @opentelemetry/sdk-node.
const sdk = standInSdk();

const tracer = trace.getTracer("tsallis-router");
const meter = metrics.getMeter("tsallis-router");
const losses = meter.createHistogram("tsallis.router.loss", { unit: "s", description: "Losses that were learned" });
const alarms = meter.createCounter("tsallis.router.alarms", { description: "Times that the favourite was found to have become worse" });

/** For each router, the spans of its open requests by their numbers. */
const open = new WeakMap();

// The message comes while the caller sends its request, so its own span is the parent of this one.
subscribe("tsallis:router:choose", (choice) => {
  const { router, upstream, route, probability } = choice;
  if (!open.has(router)) open.set(router, new Map());
  const attributes = { "tsallis.upstream": upstream, "tsallis.route": route, ...(probability !== null && { "tsallis.probability": probability }) };
  open.get(router).set(choice.request, tracer.startSpan("router request", { kind: SpanKind.CLIENT, attributes }));
});

// Every choice ends with exactly one of these messages.
subscribe("tsallis:router:close", (end) => {
  const { router, upstream, route, outcome, loss, error } = end;
  if (loss !== null) losses.record(loss, { upstream, route, outcome });
  const span = open.get(router)?.get(end.request);
  if (span === undefined) return;
  open.get(router).delete(end.request);
  span.setAttribute("tsallis.outcome", outcome);
  if (error !== undefined) span.recordException(error);
  if (outcome === "failed" || outcome === "timedOut") span.setStatus({ code: SpanStatusCode.ERROR });
  span.end();
});

subscribe("tsallis:router:alarm", ({ route, upstream }) => alarms.add(1, { route, upstream }));

const replicas = [
  await slowHello("paris", 2),
  await slowHello("tokyo", 20),
  await standIn("lima", (_request, response) => response.writeHead(500).end()),
];
const router = createRouter({ upstreams: replicas.map(({ url }) => url), timeoutMs: 5000, seed: 1 });
await underLoad(300, async (i) => (await router.fetch(`/items/${i}`)).text());
await router.close();
for (const replica of replicas) replica.close();

const { spans, records } = sdk.collected();
console.log(`${spans.length} spans, ${spans.filter(({ isError }) => isError).length} with errors; ${records.length} losses`);
for (const { url } of replicas) {
  const ofUpstream = spans.filter(({ attributes }) => attributes["tsallis.upstream"] === url);
  const outcomes = new Set(ofUpstream.map(({ attributes }) => attributes["tsallis.outcome"]));
  console.log(`${url}: ${ofUpstream.length} spans, ${[...outcomes].join(", ")}`);
}
