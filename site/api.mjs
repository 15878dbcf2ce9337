// Makes the API reference: a page of Markdown in site/api/ for every public name of the published packages, from their doc comments.
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { Application, ReflectionKind } from "typedoc";
import { MarkdownPageEvent } from "typedoc-plugin-markdown";
import { REPOSITORY } from "./addresses.mjs";

const HERE = fileURLToPath(new URL(".", import.meta.url));
const ROOT = fileURLToPath(new URL("..", import.meta.url));
const TSCONFIG = `${HERE}tsconfig.api.json`;

/** @type {{ files: string[] }} */
const { files } = JSON.parse(readFileSync(TSCONFIG, "utf8"));

const app = await Application.bootstrapWithPlugins({
  plugin: ["typedoc-plugin-markdown"],
  entryPoints: files.map((file) => fileURLToPath(new URL(file, import.meta.url))),
  tsconfig: TSCONFIG,
  basePath: ROOT,
  name: "API",
  out: `${HERE}api`,
  readme: "none",
  excludePrivate: true,
  excludeProtected: true,
  excludeInternal: true,
  excludeExternals: true,
  disableGit: true,
  sourceLinkTemplate: `${REPOSITORY ?? ""}/blob/main/packages/{path}#L{line}`,
  requiredToBeDocumented: ["Class", "Enum", "Function", "Interface", "Namespace", "TypeAlias", "Variable"],
  validation: { invalidLink: true, notDocumented: true, notExported: true },
  logLevel: "Warn",
  ...{
    entryFileName: "index",
    expandObjects: true,
    hideBreadcrumbs: true,
    hidePageHeader: true,
    parametersFormat: "table",
    propertyMembersFormat: "table",
    sanitizeComments: true,
    useCodeBlocks: true,
  },
});

// What is left of the optional parameters of a table that has none.
app.renderer.on(MarkdownPageEvent.END, (page) => {
  page.contents = page.contents?.replaceAll(" & \\{ \\}", "");
  // Without a public repository the place of a definition is text, not a link.
  if (REPOSITORY === null) page.contents = page.contents?.replace(/\[([^\]]+)\]\(\/blob\/main\/[^)]*\)/g, "$1");
});

const project = await app.convert();
if (project === undefined) process.exit(1);
for (const module of project.children ?? []) nameAsImported(module);
// TypeDoc checks only the names of the package that the project has.
for (const name of new Set(project.children?.map(({ name }) => packageOf(name)))) {
  project.packageName = name;
  app.validate(project);
}
project.packageName = "tsallis";
await app.generateOutputs(project);
if (app.logger.hasErrors() || app.logger.hasWarnings()) {
  console.error(
    "The API reference has the faults above: export or hide what a public signature names (@internal, @inline), and give each public name a sentence.",
  );
  process.exit(1);
}

/** Gives a module the name that it is imported by, and drops values that it exports as types only. @param {import("typedoc").DeclarationReflection} module */
function nameAsImported(module) {
  const entry = module.sources?.[0]?.fileName ?? "";
  const folder = /^packages\/\w+/.exec(entry)?.[0];
  /** @type {{ name: string, exports: Record<string, { default?: string }> }} */
  const { name, exports } = JSON.parse(readFileSync(`${ROOT}${folder}/package.json`, "utf8"));
  const built = entry.replace(`${folder}/src/`, "./dist/").replace(/\.ts$/, ".js");
  const path = Object.keys(exports).find((key) => exports[key]?.default === built);
  if (path === undefined) throw new Error(`${entry} is no entry of ${name}`);
  module.name = name + path.slice(1);
  const types = new Set(module.children?.filter(({ kind }) => kind === ReflectionKind.TypeAlias).map((child) => child.name));
  for (const child of [...(module.children ?? [])]) {
    if (child.kind === ReflectionKind.Variable && types.has(child.name)) module.project.removeReflection(child);
  }
}

/** "@tsallis/lab" of "@tsallis/lab/play". @param {string} name */
function packageOf(name) {
  return name
    .split("/")
    .slice(0, name.startsWith("@") ? 2 : 1)
    .join("/");
}
