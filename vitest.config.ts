import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: ["packages/*/test/**/*.test.ts", "test/**/*.test.ts"],
    setupFiles: ["test/fixedSeed.ts"],
    testTimeout: 120_000,
    hookTimeout: 120_000,
  },
  resolve: { alias: { tsallis: new URL("packages/core/src/index.ts", import.meta.url).pathname } },
});
