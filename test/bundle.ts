import { build, type Rolldown } from "vite";

/** Bundles and minifies a module and all its imports with Vite, as a classic script that leaves its exports in the global `name`. */
export async function bundle(entry: string, root: string, name: string): Promise<string> {
  const built = await build({
    root,
    configFile: false,
    logLevel: "warn",
    build: { write: false, target: "es2022", lib: { entry, formats: ["iife"], name } },
  });
  const chunks = (built as Rolldown.RolldownOutput[]).flatMap(({ output }) => output);
  if (chunks.length !== 1 || chunks[0]!.type !== "chunk")
    throw new Error(`expected one script, got ${chunks.map(({ fileName }) => fileName).join(", ")}`);
  return chunks[0]!.code;
}
