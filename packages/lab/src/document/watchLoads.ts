import { createHash } from "node:crypto";
import * as nodeModule from "node:module";
import { createRequire } from "node:module";
import { pathToFileURL } from "node:url";
import { MessageChannel, receiveMessageOnPort } from "node:worker_threads";

/** The packages whose version the hash of every experiment covers already. */
export const TSALLIS = /^(tsallis|@tsallis\/[^/]+)(\/|$)/;

/** What a thread has loaded since it began to watch. */
export interface Loads {
  /** The SHA-256 of the very text that was loaded, by URL. */
  readonly hashes: ReadonlyMap<string, string>;
  /** What each URL loads: the URLs, by the words of its import or require. */
  readonly edges: ReadonlyMap<string, ReadonlyMap<string, string>>;
  /** Files that were loaded by require() where that cannot be watched. */
  readonly unseen: readonly string[];
}

/** A step of a load: a name was resolved, or a text was read. */
type Step = { readonly parent: string; readonly specifier: string; readonly url: string } | { readonly url: string; readonly hash: string };

interface Hooks {
  resolve(specifier: string, context: { parentURL?: string }, next: (specifier: string, context: object) => { url: string }): { url: string };
  load(url: string, context: object, next: (url: string, context: object) => Loaded): Loaded;
}

interface Loaded {
  readonly source?: string | Uint8Array | null;
}

/** From Node 22.15 on, hooks run in the thread itself and see require() too. */
const { registerHooks } = nodeModule as { registerHooks?: (hooks: Hooks) => void };

/** For older Nodes, where hooks run in a thread of their own. It is text because Node loads it by itself, and the tests have no build. */
const HOOKS = `import { createHash } from "node:crypto";
let port, ours, lab;
export const initialize = (data) => { ({ port, ours, lab } = data); };
export async function resolve(specifier, context, next) {
  const found = await next(specifier, context).catch((error) => {
    if (!ours.test(specifier)) throw error;
    return next(specifier, { ...context, parentURL: lab });
  });
  if (context.parentURL) port.postMessage({ parent: context.parentURL, specifier, url: found.url });
  return found;
}
export async function load(url, context, next) {
  const loaded = await next(url, context);
  if (loaded.source != null) port.postMessage({ url, hash: createHash("sha256").update(loaded.source).digest("hex") });
  return loaded;
}`;

const required = createRequire(import.meta.url).cache;
const hashes = new Map<string, string>();
const edges = new Map<string, Map<string, string>>();
let drain: (() => void) | undefined;

/**
 * Watches what this thread loads from now on, and returns a function that tells it. Only the loader knows which text was evaluated: a second reading of the file
 * may find another.
 */
export function watchLoads(): () => Loads {
  drain ??= registerHooks === undefined ? watchFromAfar() : watchHere(registerHooks);
  const before = new Set(Object.keys(required));
  return () => {
    drain!();
    const unseen = Object.keys(required).filter((path) => !(before.has(path) || isPackage(path) || hashes.has(pathToFileURL(path).href)));
    return { hashes, edges, unseen };
  };
}

function tell(step: Step): void {
  if ("hash" in step) hashes.set(step.url, step.hash);
  else if (edges.has(step.parent)) edges.get(step.parent)!.set(step.specifier, step.url);
  else edges.set(step.parent, new Map([[step.specifier, step.url]]));
}

/** Whether a path or URL is inside a package that was installed. */
export function isPackage(path: string): boolean {
  return /[/\\]node_modules[/\\]/.test(path);
}

/** A module outside of the project finds the packages of tsallis where the lab finds them. */
function resolved(specifier: string, context: object, next: Parameters<Hooks["resolve"]>[2]): { url: string } {
  try {
    return next(specifier, context);
  } catch (error) {
    if (!TSALLIS.test(specifier)) throw error;
    return next(specifier, { ...context, parentURL: import.meta.url });
  }
}

function watchHere(register: (hooks: Hooks) => void): () => void {
  register({
    resolve(specifier, context, next) {
      const found = resolved(specifier, context, next);
      if (context.parentURL !== undefined) tell({ parent: context.parentURL, specifier, url: found.url });
      return found;
    },
    load(url, context, next) {
      const loaded = next(url, context);
      if (loaded.source !== undefined && loaded.source !== null) tell({ url, hash: createHash("sha256").update(loaded.source).digest("hex") });
      return loaded;
    },
  });
  return () => {};
}

/** Messages are sent before the loader answers, so what was loaded before an import ended is there when it has ended. */
function watchFromAfar(): () => void {
  const { port1, port2 } = new MessageChannel();
  port1.unref();
  nodeModule.register(`data:text/javascript,${encodeURIComponent(HOOKS)}`, {
    parentURL: import.meta.url,
    data: { port: port2, ours: TSALLIS, lab: import.meta.url },
    transferList: [port2],
  });
  return () => {
    for (let step = receiveMessageOnPort(port1); step !== undefined; step = receiveMessageOnPort(port1)) tell(step.message as Step);
  };
}
