import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { createServer, type Server } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import { createRouter } from "../src/createRouter.js";

it("upstreams behind Unix sockets of their own are reached, told apart, and can come and go", async () => {
  const folder = mkdtempSync(join(tmpdir(), "tsallis-"));
  const servers: Server[] = [];
  const at = async (name: string) => {
    const socketPath = join(folder, `${name}.sock`);
    const server = createServer((request, response) => response.end(`${name} as ${request.headers.host}`));
    servers.push(server);
    await once(server.listen(socketPath), "listening");
    return { protocol: "http:", hostname: name, socketPath };
  };
  const [a, b] = [await at("a"), await at("b")];
  const router = createRouter({ upstreams: [a], policy: { policy: "uniform" }, seed: 1 });
  const answers = async () => {
    const seen = new Set<string>();
    for (let i = 0; i < 20; i++) seen.add(await (await router.fetch("/")).text());
    return [...seen].sort();
  };
  try {
    expect(await answers()).toEqual(["a as a"]);
    router.add(b);
    expect(await answers()).toEqual(["a as a", "b as b"]);
    router.remove("http://a");
    expect(await answers()).toEqual(["b as b"]);
  } finally {
    await router.close();
    await Promise.all(servers.map((server) => new Promise((resolve) => server.close(resolve))));
    rmSync(folder, { recursive: true });
  }
});
