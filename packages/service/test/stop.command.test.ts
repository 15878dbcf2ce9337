import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createService, type ServiceEvent } from "@tsallis/service";
import { afterAll, expect, it } from "vitest";
import { freePort } from "../../../test/serverProcess.js";

const folder = mkdtempSync(join(tmpdir(), "tsallis-stop-"));
afterAll(() => rmSync(folder, { recursive: true }));

it("a service that is stopped while it starts does not start after that", async () => {
  const events: ServiceEvent[] = [];
  const port = await freePort();
  const options = { store: join(folder, "stopped.db"), port, onEvent: (event: ServiceEvent) => events.push(event) };
  const service = createService(options);
  const refused = expect(service.listen()).rejects.toMatchObject({ name: "AbortError" });
  await service.close();
  await refused;
  await expect(fetch(`http://127.0.0.1:${port}/healthz`)).rejects.toThrow();
  expect(events).toEqual([]);
  // Nothing of it stands in the way of the next one.
  const next = createService(options);
  await next.listen();
  await next.close();
  expect(events.map(({ event }) => event)).toEqual(["listening", "stopped"]);
});

it("one whose port is taken says nothing of having stopped", async () => {
  const events: ServiceEvent[] = [];
  const one = createService({ store: join(folder, "one.db"), port: 0 });
  const { port } = new URL(await one.listen());
  const two = createService({ store: join(folder, "two.db"), port: Number(port), onEvent: (event) => events.push(event) });
  await expect(two.listen()).rejects.toMatchObject({ code: "ERR_OPTIONS", parameter: "port" });
  await two.close();
  await one.close();
  expect(events).toEqual([]);
});
