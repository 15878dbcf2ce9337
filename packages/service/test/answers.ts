import { once } from "node:events";
import { type IncomingMessage, request } from "node:http";
import { text } from "node:stream/consumers";
import { Compile, type Validator } from "typebox/schema";
import { expect } from "vitest";

interface Operation {
  readonly operationId: string;
  readonly security?: readonly Record<string, readonly string[]>[];
  readonly parameters?: readonly { readonly name: string; readonly in: string; readonly required: boolean; readonly schema: object }[];
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly schema: object }>> };
  readonly responses: Readonly<
    Record<string, { readonly description: string; readonly content: Readonly<Record<string, { readonly schema: object }>> }>
  >;
}

export interface OpenApi {
  readonly openapi: string;
  readonly info: { readonly title: string; readonly version: string };
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: { readonly securitySchemes: object };
}

export interface Asked {
  readonly key?: string | undefined;
  /** Text is sent as it is, everything else as JSON. */
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** Undefined if it is not JSON. */
  // biome-ignore lint/suspicious/noExplicitAny: its shape is checked against the document
  readonly json: any;
}

/** Asks a service, and holds every answer against the service's own OpenAPI document. */
export class Answers {
  /** Which answers were seen, such as "get /v1/bandits 4XX". */
  readonly seen = new Set<string>();
  readonly #validators = new Map<object, Validator>();

  private constructor(
    readonly url: string,
    readonly key: string | undefined,
    readonly document: OpenApi,
  ) {}

  static async of(url: string, key?: string): Promise<Answers> {
    const response = await fetch(`${url}/openapi.json`);
    return new Answers(url, key, (await response.json()) as OpenApi);
  }

  async ask(method: string, path: string, { key = this.key, body, headers = {} }: Asked = {}): Promise<Answer> {
    const response = await fetch(this.url + path, {
      method,
      headers: {
        ...(key === undefined ? {} : { authorization: `Bearer ${key}` }),
        ...(body === undefined ? {} : { "content-type": "application/json" }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: typeof body === "string" ? body : JSON.stringify(body) }),
    });
    const answer = answerOf(response.status, response.headers, await response.text());
    this.check(method, path, answer);
    return answer;
  }

  /** Asks for an address as it is written: `fetch` would put it in order first. The body is sent as it is. */
  async exact(method: string, path: string, headers: Readonly<Record<string, string>> = {}, body: string | Buffer = ""): Promise<Answer> {
    const { hostname, port } = new URL(this.url);
    const sent = request({ hostname, port, method, path, headers: { "content-length": Buffer.byteLength(body), ...headers } });
    sent.end(body);
    const [response] = (await once(sent, "response")) as [IncomingMessage];
    const told = Object.entries(response.headers).map(([name, value]) => [name, String(value)] as [string, string]);
    const answer = answerOf(response.statusCode!, new Headers(told), await text(response));
    this.check(method, path, answer);
    return answer;
  }

  /** Asks, and expects a status. Returns the body. */
  async expect(status: number, method: string, path: string, asked: Asked = {}): Promise<Answer["json"]> {
    const answer = await this.ask(method, path, asked);
    expect(answer.status, answer.text).toBe(status);
    return answer.json;
  }

  /** Asks, and expects an error. */
  async refused(status: number, code: string, method: string, path: string, asked: Asked = {}): Promise<Answer> {
    const answer = await this.ask(method, path, asked);
    expect([answer.status, answer.json?.code], answer.text).toEqual([status, code]);
    return answer;
  }

  put(name: string, document: object, key?: string) {
    return this.expect(201, "PUT", `/v1/bandits/${name}`, { body: document, key });
  }

  view(name: string, query = "") {
    return this.expect(200, "GET", `/v1/bandits/${name}${query}`);
  }

  async seq(name: string): Promise<number> {
    return (await this.view(name)).seq;
  }

  decide(name: string, body: object = {}) {
    return this.expect(201, "POST", `/v1/bandits/${name}/decisions`, { body });
  }

  feedback(name: string, id: string, body: object) {
    return this.expect(200, "POST", `/v1/bandits/${name}/decisions/${id}/feedback`, { body });
  }

  /** Holds an answer against the document. */
  check(method: string, path: string, { status, headers, text, json }: Answer): void {
    const what = `${method} ${path.slice(0, 200)}: ${status} ${text.slice(0, 300)}`;
    expect(headers.get("x-content-type-options"), what).toBe("nosniff");
    expect(headers.get("referrer-policy"), what).toBe("no-referrer");
    expect(headers.get("cache-control"), what).toBe("no-store");
    expect(headers.get("content-security-policy"), what).toMatch(/^default-src 'self'; frame-ancestors 'none'/);
    if (status >= 400 && method !== "HEAD") expect(headers.get("content-type"), what).toMatch(/^application\/problem\+json/);
    if (status === 429 || status === 503) expect(Number(headers.get("retry-after")), what).toBeGreaterThan(0);
    const template = Object.keys(this.document.paths).find((candidate) => matches(candidate, path.split("?", 1)[0]!));
    const operation = this.document.paths[template ?? ""]?.[method.toLowerCase()];
    if (operation === undefined) {
      if (status >= 400 && method !== "HEAD")
        expect(json, what).toMatchObject({ code: expect.stringMatching(/^ERR_/), status, detail: expect.any(String) });
      return;
    }
    const family = status < 400 ? `${status}` : `${Math.floor(status / 100)}XX`;
    this.seen.add(`${method.toLowerCase()} ${template} ${family}`);
    const content = operation.responses[family]?.content;
    const type = headers.get("content-type")?.split(";", 1)[0] ?? "none";
    expect(Object.keys(content ?? {}), what).toContain(type);
    const { schema } = content![type]!;
    const [fits, errors] = this.#validator(schema).Errors(/json$/.test(type) && !/ndjson$/.test(type) ? json : text);
    expect(fits ? [] : errors, what).toEqual([]);
  }

  #validator(schema: object): Validator {
    let validator = this.#validators.get(schema);
    if (validator === undefined) {
      validator = Compile(schema);
      this.#validators.set(schema, validator);
    }
    return validator;
  }
}

export function answerOf(status: number, headers: Headers, text: string): Answer {
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {}
  return { status, headers, text, json };
}

function matches(template: string, path: string): boolean {
  const [theirs, ours] = [path.split("/"), template.split("/")];
  return ours.length === theirs.length && ours.every((part, i) => part.startsWith("{") || part === theirs[i]);
}
