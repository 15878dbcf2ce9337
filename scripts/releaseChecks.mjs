// What must be right before the packages are published. Each check returns complaints that say what to do; none means yes.
import { readFileSync } from "node:fs";
import { posix } from "node:path";
import { checkPackage, createPackageFromTarballData } from "@arethetypeswrong/core";
import { problemKindInfo } from "@arethetypeswrong/core/problems";
import { publint } from "publint";
import { formatMessage } from "publint/utils";

/**
 * @typedef {{ name: string, version: string, private?: boolean, dependencies?: Record<string, string>,
 *   repository?: { url?: string }, homepage?: string, bugs?: string }} Manifest
 */

/** The packages are for import alone: what require and the oldest resolution make of them is not looked at, as in attw's profile "esm-only". */
const NOT_FOR_US = ["node10", "node16-cjs"];

/**
 * Whether the packages fit each other, the changelog and the tag, if there is one.
 * @param {Manifest[]} manifests in the order in which they are published
 * @param {string} changelog
 * @param {{ tag?: string | undefined, origin?: string | undefined, final: boolean }} release origin: where this clone comes from, such as
 *   https://github.com/owner/name; final: it is to be published now
 * @returns {string[]}
 */
export function unfit(manifests, changelog, { tag, origin, final }) {
  const names = manifests.map(({ name }) => name);
  const version = /** @type {Manifest} */ (manifests[0]).version;
  const complaints = manifests.flatMap((manifest, place) => {
    const own = Object.entries(manifest.dependencies ?? {}).filter(([name]) => names.includes(name));
    return [
      ...(manifest.version === version ? [] : [`is ${manifest.version}, but ${names[0]} is ${version}: give all packages one version`]),
      ...own.filter(([, range]) => range !== version).map(([name, range]) => `depends on ${name} ${range}: make it ${version}`),
      ...own.filter(([name]) => names.indexOf(name) > place).map(([name]) => `needs ${name}: list that first in the workspaces of package.json`),
      ...unrealAddresses(manifest, origin, final),
    ].map((what) => `${manifest.name} ${what}`);
  });
  if (tag !== undefined && tag !== `v${version}`)
    complaints.push(`the tag is ${tag}, the packages are ${version}: tag v${version}, or change the versions`);
  const heading = changelog.split("\n").find((line) => line.startsWith("## ") && line.slice(3).split(/[\s,]/)[0] === version);
  if (heading === undefined) complaints.push(`CHANGELOG.md has no section "## ${version}": write it`);
  else if (final && heading.includes("not yet released")) complaints.push(`CHANGELOG.md says "${heading.slice(3)}": put the date there`);
  return complaints;
}

/** An address in a manifest is that of the clone, or absent; a release needs one, since npm compares it with where the package was built. @param {Manifest} manifest @param {string | undefined} origin @param {boolean} final @returns {string[]} */
function unrealAddresses({ repository, homepage, bugs }, origin, final) {
  const given = Object.entries({ repository: repository?.url?.replace(/^git\+|\.git$/g, ""), homepage, bugs });
  const unreal = given.filter(([, address]) => address !== undefined && (origin === undefined || !`${address}/`.startsWith(`${origin}/`)));
  const complaints = unreal.map(
    ([field, address]) => `has ${field} ${address}, but this clone comes from ${origin ?? "no known address"}: correct it or leave it out`,
  );
  return final && repository === undefined ? [...complaints, "has no repository: name it in package.json"] : complaints;
}

/** Whether a packed package can be imported, with its types, at every entry that it names. @param {string} path of the tarball @returns {Promise<string[]>} */
export async function unfitTarball(path) {
  const bytes = Uint8Array.from(readFileSync(path));
  const { messages, pkg } = await publint({ pack: { tarball: bytes.buffer }, strict: true });
  const complaints = messages.map((message) => `publint: ${formatMessage(message, pkg, { color: false }) ?? message.code}`);
  const unpacked = createPackageFromTarballData(bytes);
  complaints.push(...lostSources(unpacked));
  // A command is not imported. Of a package that is, attw would not mind if it had no types at all.
  if (pkg.exports === undefined) return complaints;
  const analysis = await checkPackage(unpacked);
  if (!analysis.types) return [...complaints, "holds no type declarations: run npm run build, and see that `files` names them"];
  const problems = analysis.problems.filter((problem) => !("resolutionKind" in problem && NOT_FOR_US.includes(problem.resolutionKind)));
  return [...complaints, ...problems.map((problem) => `types: ${described(problem)}`)];
}

/** Whether every map that a file names is packed, and every source that a map names. @param {import("@arethetypeswrong/core").Package} unpacked @returns {string[]} */
function lostSources(unpacked) {
  return unpacked.listFiles().flatMap((file) => {
    const folder = posix.dirname(file);
    const text = /\.(?:js|d\.ts|map)$/.test(file) ? unpacked.readFile(file) : "";
    const named = file.endsWith(".map")
      ? /** @type {{ sources: string[] }} */ (JSON.parse(text)).sources
      : /^\/\/# sourceMappingURL=(.+)$/m.exec(text)?.slice(1);
    const lost = (named ?? []).filter((path) => !unpacked.fileExists(posix.join(folder, path)));
    return lost.map((path) => `maps: ${file} names ${path}, which is not packed: run npm run build, and see that \`files\` names it`);
  });
}

/** @param {import("@arethetypeswrong/core").Problem} problem */
function described(problem) {
  const { shortDescription, docsUrl } = problemKindInfo[problem.kind];
  const where =
    "entrypoint" in problem ? `${problem.entrypoint} (${problem.resolutionKind})` : "fileName" in problem ? problem.fileName : problem.typesFileName;
  return `${where}: ${shortDescription}, see ${docsUrl}`;
}
