import { existsSync, readdirSync, readFileSync } from "node:fs";
import { extname, join } from "node:path";
import { fileURLToPath } from "node:url";
import type { FastifyInstance } from "fastify";

/** Built by packages/web. */
const FOLDER = fileURLToPath(new URL("../../../dashboard", import.meta.url));
const TYPES: Readonly<Record<string, string>> = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".svg": "image/svg+xml",
};

/** The dashboard: a few files, read once. */
export function addPages(app: FastifyInstance): void {
  if (!existsSync(FOLDER)) {
    app.get("/", { schema: { hide: true } }, async (_request, reply) => reply.type("text/plain").send("The dashboard is not built: npm run build\n"));
    return;
  }
  const files = readdirSync(FOLDER, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  for (const { parentPath, name } of files) {
    const file = join(parentPath, name);
    const content = readFileSync(file);
    const path = file.slice(FOLDER.length).replaceAll("\\", "/");
    const type = TYPES[extname(name)] ?? "application/octet-stream";
    const send = async (_request: unknown, reply: { type(type: string): { send(content: Buffer): unknown } }) => reply.type(type).send(content);
    app.get(path === "/index.html" ? "/" : path, { schema: { hide: true } }, send);
  }
}
