// Writes the parts of docs/reference/service.md that follow from the service: its routes, its shapes, its errors and its metrics, from the build.
//
//   node scripts/build.mjs && node scripts/serviceReference.mjs
//
// test/serviceReference.command.test.ts fails if the page is not what this gives.
import { readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { ERROR_CODES, TsallisError } from "tsallis";
import { answerError } from "../packages/service/dist/http/answerError.js";
import { Metrics } from "../packages/service/dist/http/metrics.js";
import { addBandits } from "../packages/service/dist/http/routes/bandits.js";
import { addDecisions } from "../packages/service/dist/http/routes/decisions.js";
import { addEvaluation } from "../packages/service/dist/http/routes/evaluation.js";
import { addHealth } from "../packages/service/dist/http/routes/health.js";
import { addHistory } from "../packages/service/dist/http/routes/history.js";
import { addLog } from "../packages/service/dist/http/routes/log.js";
import * as schemas from "../packages/service/dist/schemas.js";
import { SERVICE_ERROR_CODES } from "../packages/service/dist/serviceError.js";

const PAGE = fileURLToPath(new URL("../docs/reference/service.md", import.meta.url));

/**
 * @typedef {{ type?: string, properties?: Record<string, Schema>, required?: string[], items?: Schema | Schema[], anyOf?: Schema[], enum?: unknown[], const?: unknown,
 *   pattern?: string, format?: string, minimum?: number, maximum?: number, minItems?: number, maxItems?: number, default?: unknown, description?: string,
 *   content?: Record<string, unknown>, additionalProperties?: boolean }} Schema
 * @typedef {{ method: string, path: string, role: string, summary: string, body?: Schema, query?: Schema, answers: [status: string, answer: Schema][] }} Route
 */

/** What goes over HTTP, by name. @type {[name: string, schema: Schema][]} */
const SHAPES = /** @type {[string, any][]} */ (Object.entries(schemas)).filter(
  ([name, value]) => /** @type {Schema} */ (value).type === "object" && !name.endsWith("Parameters"),
);
/** The shapes that the page shows; of the others the routes have the fields, and GET /openapi.json everything. */
const SHOWN = ["NewBandit", "Feedback"];
/** Of a shape with more, the routes have its name. */
const MOST_FIELDS = 10;
/** @type {readonly (readonly [pattern: string, name: string])[]} */
const PATTERNS = [
  [schemas.NAME, "name"],
  [schemas.ID, "id"],
  [schemas.SEGMENT, "segment"],
];
/** Sizes beyond this are no limits that anybody meets. */
const LARGEST = 1e300;

/** The routes, in the order in which they are added. @returns {Route[]} */
function routes() {
  /** @type {Route[]} */
  const found = [];
  /** @param {string} method */
  const adder =
    (method) =>
    (/** @type {string} */ path, /** @type {any} */ { schema, config }) => {
      const answers = Object.entries(schema.response).filter(([status]) => /^2/.test(status));
      const { summary, body, querystring: query } = schema;
      found.push({
        method,
        path: path.replace(/(?<!:):(\w+)/g, "{$1}").replace("::", ":"),
        role: config?.role ?? "",
        summary,
        body,
        query,
        answers: /** @type {any} */ (answers),
      });
    };
  const app = Object.fromEntries(["get", "put", "post", "patch", "delete"].map((method) => [method, adder(method.toUpperCase())]));
  for (const add of [addBandits, addEvaluation, addHistory, addDecisions, addLog, addHealth]) add(/** @type {any} */ (app), /** @type {any} */ ({}));
  return found;
}

/** @param {Schema} schema */
function nameOf(schema) {
  return SHAPES.find(([, shape]) => shape === schema)?.[0];
}

/** A link to a shape, or what it is if it has no name. @param {Schema} schema */
function shown(schema) {
  const name = nameOf(schema);
  if (name !== undefined && SHOWN.includes(name)) return `[${name}](#${name.toLowerCase()})`;
  if (schema.content !== undefined) return `\`${Object.keys(schema.content)[0]}\``;
  const fields = Object.keys(schema.properties ?? {});
  return name !== undefined && fields.length > MOST_FIELDS ? `\`${name}\`` : `\`{ ${fields.join(", ")} }\``;
}

function routesText() {
  const rows = routes().map(({ method, path, role, summary, body, query, answers }) => {
    const takes = [body, query]
      .filter((schema) => schema !== undefined)
      .map((schema) => (schema === query ? `query ${shown(schema)}` : shown(schema)));
    const statuses = answers.map(([status]) => status).reverse();
    return [
      `\`${method} ${path}\``,
      role,
      takes.join(", "),
      `${statuses.join(" or ")} ${shown(/** @type {[string, Schema]} */ (answers[0])[1])}`,
      summary,
    ];
  });
  return table(["route", "role", "takes", "answers", ""], rows);
}

function shapesText() {
  const asked = routes().flatMap(({ body, query }) => [body, query]);
  return inOrder()
    .filter(([name]) => SHOWN.includes(name))
    .map(([name, schema]) => {
      const isAsked = asked.includes(schema);
      const rows = rowsOf(schema, "", isAsked);
      const heading = isAsked ? ["field", "is", "if left out", ""] : ["field", "is", ""];
      const about = schema.description === undefined ? "" : `${sentence(schema.description)}\n\n`;
      return `### ${name}\n\n${about}${table(heading, rows)}`;
    })
    .join("\n");
}

/** The shapes in the order in which the routes need them, each before what it holds. */
function inOrder() {
  /** @type {Set<[name: string, schema: Schema]>} */
  const found = new Set();
  /** @param {Schema | undefined} schema */
  const visit = (schema) => {
    if (schema === undefined) return;
    const shape = SHAPES.find(([, its]) => its === schema);
    if (shape !== undefined) found.add(shape);
    const items = Array.isArray(schema.items) ? schema.items : [schema.items];
    for (const inner of [...Object.values(schema.properties ?? {}), ...(schema.anyOf ?? []), ...items]) visit(inner);
  };
  for (const { body, query, answers } of routes())
    for (const schema of [body, query, ...answers.map(([, answer]) => answer), /** @type {any} */ (schemas.Problem)]) visit(schema);
  const missing = SHAPES.filter((shape) => !found.has(shape));
  if (missing.length > 0) throw new Error(`no route needs ${missing.map(([name]) => name).join(", ")}`);
  return [...found];
}

/** A row for each field; the fields of objects without a name follow, with their paths. @param {Schema} schema @param {string} path @param {boolean} isAsked @returns {string[][]} */
function rowsOf(schema, path, isAsked) {
  return Object.entries(schema.properties ?? {}).flatMap(([key, field]) => {
    const name = path + key;
    const isRequired = schema.required?.includes(key) ?? false;
    const absent = isRequired ? "required" : field.default === undefined ? "" : code(JSON.stringify(field.default));
    const about = [typeOf(field).startsWith("time") ? "" : (field.description ?? ofInner(field)), !isAsked && !isRequired ? "may be absent" : ""]
      .filter((text) => text !== "")
      .join("; ");
    const row = [code(name), typeOf(field), ...(isAsked ? [absent] : []), about];
    const [inner, innerPath] = anonymous(field, name);
    return inner === undefined ? [row] : [row, ...rowsOf(inner, `${innerPath}.`, isAsked)];
  });
}

/** Something that may be null is described inside. @param {Schema} field @returns {string} */
function ofInner(field) {
  const inner = field.anyOf?.find(({ type }) => type !== "null");
  return inner?.description ?? "";
}

/** The object without a name that a field holds, perhaps in a list or beside null. @param {Schema} field @param {string} path @returns {[Schema | undefined, string]} */
function anonymous(field, path) {
  if (nameOf(field) !== undefined) return [undefined, path];
  if (field.type === "object") return [Object.keys(field.properties ?? {}).length > 1 ? field : undefined, path];
  if (field.type === "array" && !Array.isArray(field.items) && field.items !== undefined) return anonymous(field.items, `${path}[]`);
  const inner = field.anyOf?.filter(({ type }) => type !== "null") ?? [];
  return inner.length === 1 ? anonymous(/** @type {Schema} */ (inner[0]), path) : [undefined, path];
}

/** @param {Schema} schema @returns {string} */
function typeOf(schema) {
  const name = nameOf(schema);
  if (name !== undefined) return shown(schema);
  if (schema.enum !== undefined) return schema.enum.map((value) => code(JSON.stringify(value))).join(", ");
  if (schema.const !== undefined) return code(JSON.stringify(schema.const));
  if (schema.anyOf !== undefined) return schema.anyOf.map(typeOf).join(" or ");
  if (schema.format === "date-time") return "time";
  if (schema.type === "array") {
    if (Array.isArray(schema.items)) return `pair of ${plural(typeOf(/** @type {Schema} */ (schema.items[0])))}`;
    const { minItems, maxItems } = schema;
    const size = maxItems === undefined ? "" : `${count(minItems ?? 0)} to ${count(maxItems)} `;
    return `list of ${size}${plural(typeOf(schema.items ?? {}))}`;
  }
  if (schema.type === "string") return PATTERNS.find(([pattern]) => pattern === schema.pattern)?.[1] ?? "text";
  if (schema.type === "integer" || schema.type === "number") return `${schema.type}${rangeOf(schema)}`;
  if (schema.type === "object" && !isOpen(schema)) return code(`{ ${Object.keys(schema.properties ?? {}).join(", ")} }`);
  return schema.type ?? "anything";
}

/** Whether it takes more than the keys that it names. @param {Schema} schema */
function isOpen(schema) {
  return schema.additionalProperties === true;
}

/** Of a plain word. @param {string} type */
function plural(type) {
  return /^[a-z]+$/.test(type) ? `${type}s` : type;
}

/** @param {Schema} schema */
function rangeOf({ minimum, maximum }) {
  if (maximum === undefined || maximum >= LARGEST) return "";
  return maximum === Number.MAX_SAFE_INTEGER ? ", below 2^53" : `, ${count(minimum ?? 0)} to ${count(maximum)}`;
}

/** Those that it adds to the library's; and the statuses of the library's own. */
function errorsText() {
  const rows = Object.entries(SERVICE_ERROR_CODES).map(([name, [status, meaning]]) => [code(name), meaning, status === 0 ? "-" : `${status}`]);
  /** @type {Map<number, string[]>} */
  const byStatus = new Map();
  for (const name of Object.keys(ERROR_CODES)) {
    const { status } = answerError(new TsallisError(/** @type {keyof typeof ERROR_CODES} */ (name), "", undefined, ""));
    byStatus.set(status, [...(byStatus.get(status) ?? []), code(name)]);
  }
  const [most, ...others] = [...byStatus].sort(([, a], [, b]) => b.length - a.length);
  const told = others.map(([status, names]) => `${names.join(" and ")}, which ${names.length === 1 ? "has" : "have"} ${status}`).join("; ");
  return `${table(["code", "meaning", "status"], rows)}\nThe [codes of the library](errors.md) pass through, with the status ${/** @type {[number, string[]]} */ (most)[0]}, but for ${told}.\n`;
}

function metricsText() {
  const metrics = new Metrics();
  metrics.close();
  const families = [...metrics.text([], new Map(), new Map(), () => true, 0).matchAll(/^# HELP (\w+) (.+)\n# TYPE \w+ (\w+)$/gm)];
  return table(
    ["family", "type", ""],
    families.map(([, name, help, type]) => [code(/** @type {string} */ (name)), /** @type {string} */ (type), /** @type {string} */ (help)]),
  );
}

/** @param {string[]} heading @param {string[][]} rows */
function table(heading, rows) {
  const line = (/** @type {string[]} */ cells) => `|${cells.map((cell) => (cell === "" ? " |" : ` ${cell.replaceAll("|", "\\|")} |`)).join("")}\n`;
  return line(heading) + line(heading.map(() => "---")) + rows.map(line).join("");
}

/** @param {string} text */
function code(text) {
  return `\`${text}\``;
}

/** @param {number} value */
function count(value) {
  return value.toLocaleString("en");
}

/** @param {string} text */
function sentence(text) {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;
}

/** @type {Record<string, () => string>} */
const PARTS = { routes: routesText, shapes: shapesText, errors: errorsText, metrics: metricsText };

/** The page with its generated parts as they are now. @param {string} page */
export function serviceReference(page) {
  return Object.entries(PARTS).reduce((text, [name, make]) => {
    const [start, end] = [`<!-- generated: ${name}, by scripts/serviceReference.mjs -->\n`, `<!-- end of ${name} -->`];
    const [from, to] = [text.indexOf(start), text.indexOf(end)];
    if (from < 0 || to < from) throw new Error(`docs/reference/service.md has no place for its ${name}: ${start.trim()} ... ${end}`);
    return `${text.slice(0, from + start.length)}\n${make()}\n${text.slice(to)}`;
  }, page);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) writeFileSync(PAGE, serviceReference(readFileSync(PAGE, "utf8")));
