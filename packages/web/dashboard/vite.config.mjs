import { fileURLToPath } from "node:url";
import { defineConfig } from "vite";

/** The dashboard becomes four files of the service, with fixed names and relative addresses. Nothing in them is inline: the service forbids that by its policy of content. */
export default defineConfig({
  root: fileURLToPath(new URL(".", import.meta.url)),
  base: "./",
  oxc: { jsx: { runtime: "automatic", importSource: "preact" } },
  build: {
    outDir: fileURLToPath(new URL("../../service/dashboard", import.meta.url)),
    emptyOutDir: true,
    target: "es2022",
    modulePreload: false,
    assetsInlineLimit: 0,
    cssCodeSplit: false,
    rolldownOptions: {
      output: { entryFileNames: "dashboard.js", assetFileNames: "dashboard[extname]", codeSplitting: false },
    },
  },
  // `npx vite packages/web/dashboard` shows the sources with the answers of a service on this machine.
  server: { proxy: { "/v1": "http://127.0.0.1:7411", "/openapi.json": "http://127.0.0.1:7411" } },
});
