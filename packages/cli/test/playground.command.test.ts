import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, it } from "vitest";
import { ended, startIn } from "./command.js";
import { tsallis } from "./inProcess.js";

it("serves the page and its files with a strict policy, and nothing else, until Ctrl-C", async () => {
  const child = startIn(".", "playground", "--port", "0");
  const all = ended(child);
  const url = await new Promise<string>((resolve, reject) => {
    let printed = "";
    child.stdout.on("data", (text) => {
      printed += text;
      const found = /^playground {2}(http:\S+)$/m.exec(printed)?.[1];
      if (found !== undefined) resolve(found);
    });
    all.then(({ stderr }) => reject(new Error(stderr)));
  });
  const page = await fetch(url);
  expect(page.status).toBe(200);
  expect(page.headers.get("content-type")).toBe("text/html; charset=utf-8");
  expect(page.headers.get("content-security-policy")).toMatch(/^default-src 'self'; worker-src 'self';/);
  const files = [...(await page.text()).matchAll(/(?:src|href)="\.\/([^"]+)"/g)].map(([, file]) => file!);
  expect(files.length).toBeGreaterThanOrEqual(3);
  for (const file of [...files, "raceWorker.js"]) expect((await fetch(url + file)).status, file).toBe(200);
  for (const path of ["package.json", "%2e%2e/package.json", "..%2fpackage.json", "nothing"])
    expect((await fetch(url + path)).status, path).toBe(404);
  expect((await fetch(url, { method: "POST", body: "x" })).status).toBe(405);
  child.kill("SIGINT");
  expect((await all).code).toBe(0);
});

it("says what to do if the port is taken or no port", async () => {
  const taken = createServer();
  await new Promise<void>((resolve) => taken.listen(0, "127.0.0.1", resolve));
  try {
    const { port } = taken.address() as AddressInfo;
    const { code, stderr } = await tsallis(["playground", "--port", `${port}`]);
    expect([code, stderr]).toEqual([2, expect.stringMatching(new RegExp(`^tsallis: --port: ERR_PARAMETER: port ${port} .*choose another`))]);
  } finally {
    taken.close();
  }
  expect((await tsallis(["playground", "--port", "x"])).stderr).toMatch(/--port: ERR_PARAMETER: port must be an integer/);
});
