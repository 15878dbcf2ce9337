import { existsSync, readdirSync, readFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import { extname } from "node:path";

const TYPES: Readonly<Record<string, string>> = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".svg": "image/svg+xml",
};
const HEADERS = {
  "content-security-policy": "default-src 'self'; worker-src 'self'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'",
  "x-content-type-options": "nosniff",
  "referrer-policy": "no-referrer",
  "cache-control": "no-cache",
};

/** A server of the files of one folder, which are read once. Null if the folder is not there. */
export function staticServer(folder: URL): Server | null {
  if (!existsSync(folder)) return null;
  const files = new Map(readdirSync(folder).map((name) => [`/${name}`, readFileSync(new URL(name, folder))]));
  return createServer(({ method, url = "/" }, response) => {
    const path = url.split("?", 1)[0]!;
    const file = path === "/" ? "/index.html" : path;
    const content = files.get(file);
    if (content === undefined || (method !== "GET" && method !== "HEAD")) {
      response.writeHead(content === undefined ? 404 : 405, { ...HEADERS, "content-type": "text/plain; charset=utf-8" });
      response.end("There is nothing here; the playground is at /\n");
      return;
    }
    response.writeHead(200, { ...HEADERS, "content-type": TYPES[extname(file)] ?? "application/octet-stream" });
    response.end(method === "HEAD" ? undefined : content);
  });
}
