// JSON-RPC endpoints through tickets: an error inside an answer with status 200 counts as a failure. A failed call is retried once, on another
// endpoint, which the router chooses too.
// Run it: node packages/router/examples/jsonRpc.mjs
import { createRouter } from "@tsallis/router";
import { stream } from "tsallis";
import { heavyTailed, standIn, underLoad } from "./standIn.mjs";

/** How long a call may take. A ticket must live longer: one that is still open when its time is up teaches nothing. */
const PATIENCE_MS = 5000;
const endpoints = await Promise.all([node("swift", 2, 0.3), node("steady", 8, 0), node("distant", 40, 0)]);
const router = createRouter({ upstreams: endpoints.map(({ url }) => url), timeoutMs: 6000, seed: 1 });

/** Every endpoint would return these errors, because the call itself is wrong: they are answers, not failures. */
const CALLERS_OWN = new Set([-32700, -32600, -32601, -32602]);

/** Posts a call to one endpoint; throws if the endpoint fails. */
async function post(url, method, params) {
  const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method, params });
  const headers = { "content-type": "application/json" };
  const response = await fetch(url, { method: "POST", headers, body, signal: AbortSignal.timeout(PATIENCE_MS) });
  if (!response.ok) throw new Error(`${url} answers with status ${response.status}`);
  const answer = await response.json();
  if (answer.error !== undefined && !CALLERS_OWN.has(answer.error.code)) throw new Error(`${url} answers: ${answer.error.message}`);
  return answer;
}

/** The router chooses an endpoint, none of those that were tried before, and learns the outcome. */
async function attempt(method, params, tried) {
  const ticket = router.choose({ except: tried });
  const started = performance.now();
  try {
    const answer = await post(ticket.upstream, method, params);
    ticket.done((performance.now() - started) / 1000);
    return answer;
  } catch (error) {
    ticket.failed(error);
    tried.push(ticket.upstream);
    throw error;
  }
}

let retries = 0;
async function call(method, params = []) {
  const tried = [];
  try {
    return await attempt(method, params, tried);
  } catch {
    retries++;
    return attempt(method, params, tried);
  }
}

let lost = 0;
await underLoad(1000, (i) => call("eth_getBalance", [`0x${i}`]).catch(() => lost++));
const { error } = await call("eth_getBalnace");

for (const { upstream, chosen, done, failed } of router.explain().upstreams) {
  console.log(`${upstream}: ${chosen} calls, ${done} answered, ${failed} failed`);
}
console.log(`${retries} calls were retried, ${lost} failed in the end`);
console.log(`a call with a typo is answered and not retried: ${error.message}`);
console.log(`\n${router.explain().why}`);

await router.close();
for (const endpoint of endpoints) endpoint.close();

/** A stand-in for an endpoint that now and then has not yet seen the requested block, and says so with status 200. */
async function node(name, shortest, errorShare) {
  const delay = heavyTailed(name, shortest);
  const rng = stream(2026, "errors", name);
  return standIn(name, async (request, response) => {
    let text = "";
    for await (const chunk of request) text += chunk;
    const { id, method } = JSON.parse(text);
    let outcome = { result: "0x1" };
    if (rng.uniform() < errorShare) outcome = { error: { code: -32000, message: "header not found" } };
    if (method !== "eth_getBalance") outcome = { error: { code: -32601, message: `the method ${method} does not exist` } };
    setTimeout(() => response.end(JSON.stringify({ jsonrpc: "2.0", id, ...outcome })), delay());
  });
}
