import { fileURLToPath } from "node:url";
import { defineConfig } from "vite";

/** The playground becomes a folder of the command, which works from any static host and any path. Nothing in it is inline, and nothing comes from elsewhere. */
export default defineConfig({
  root: fileURLToPath(new URL(".", import.meta.url)),
  base: "./",
  oxc: { jsx: { runtime: "automatic", importSource: "preact" } },
  build: {
    outDir: fileURLToPath(new URL("../../cli/playground", import.meta.url)),
    emptyOutDir: true,
    target: "es2022",
    modulePreload: false,
    assetsInlineLimit: 0,
    cssCodeSplit: false,
    rolldownOptions: {
      // The workers are entries of their own, so that they share the library with the page: as workers of Vite's each would bring another copy of 50 kB.
      input: Object.fromEntries(
        Object.entries({
          playground: "index.html",
          raceWorker: "src/engine/raceWorker.ts",
          meansWorker: "src/engine/meansWorker.ts",
          boundsWorker: "src/engine/boundsWorker.ts",
        }).map(([name, file]) => [name, fileURLToPath(new URL(file, import.meta.url))]),
      ),
      output: { entryFileNames: "[name].js", chunkFileNames: "[name].js", assetFileNames: "playground[extname]" },
    },
  },
});
