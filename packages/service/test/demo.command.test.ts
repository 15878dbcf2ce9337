import { getEventListeners } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, test } from "vitest";
import { startDemo } from "../dist/index.js";

// Node 20 warned once per request after 1,500 of them, on the terminal of everybody who left the demo running for a minute.
test("the simulated client leaves no listener on its signal", async () => {
  const stop = new AbortController();
  const listeners: number[] = [];
  const server = createServer((request, response) => {
    request.resume().on("end", () => {
      if (listeners.push(getEventListeners(stop.signal, "abort").length) === 90) stop.abort();
      response.end(JSON.stringify(request.url?.endsWith(":batch") ? { decisions: [] } : { id: "a", arm: "alder" }));
    });
  });
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  const { port } = server.address() as AddressInfo;
  await startDemo(`http://127.0.0.1:${port}/`, stop.signal);
  server.close();
  expect(listeners.length).toBeGreaterThanOrEqual(90);
  // Its own, and that of a pause: Node warns of a leak from 11 on.
  expect(Math.max(...listeners)).toBeLessThanOrEqual(2);
});
