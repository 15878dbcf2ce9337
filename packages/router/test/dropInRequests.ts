// Cases for the comparison with BalancedPool: requests, their answers, and what is refused before anything is sent.
import { AsyncLocalStorage } from "node:async_hooks";
import { once } from "node:events";
import { PassThrough, Readable, Writable } from "node:stream";
import * as undici from "undici";
import { type Answering, attempt, outcome, type Stage, told } from "./dropInStage.js";

export type Cases = Readonly<Record<string, (stage: Stage) => Promise<unknown>>>;

const hello: Answering = (_request, response) => response.writeHead(201, { "x-mark": "a", "content-type": "text/plain" }).end("hello");
const echo: Answering = (request, response) => {
  response.setHeader("x-method", request.method!);
  request.pipe(response);
};
const get = { path: "/", method: "GET" } as const;

/** A handler that notes every call; of undici's own kind, or of the older one. */
export function noting(kind: "own" | "older", calls: unknown[], options: { throwIn?: string; without?: string } = {}) {
  let finish = (): void => {};
  const ended = new Promise<void>((resolve) => {
    finish = resolve;
  });
  const note = (name: string, ...details: unknown[]) => {
    calls.push([name, ...details]);
    if (options.throwIn === name) throw new Error(`thrown in ${name}`);
  };
  const older = {
    onConnect: () => note("onConnect"),
    onResponseStarted: () => note("onResponseStarted"),
    onBodySent: () => note("onBodySent"),
    onRequestSent: () => note("onRequestSent"),
    onHeaders(status: number) {
      note("onHeaders", status);
      return true;
    },
    onData(chunk: Buffer) {
      note("onData", String(chunk));
      return true;
    },
    onUpgrade: (status: number) => note("onUpgrade", status),
    onComplete() {
      setImmediate(finish);
      note("onComplete");
    },
    onError(error: Error) {
      setImmediate(finish);
      note("onError", told(error));
    },
  };
  const own = {
    onRequestStart: () => note("onRequestStart"),
    onResponseStarted: () => note("onResponseStarted"),
    onBodySent: () => note("onBodySent"),
    onRequestSent: () => note("onRequestSent"),
    onRequestUpgrade: (_controller: unknown, status: number) => note("onRequestUpgrade", status),
    onResponseStart: (_controller: unknown, status: number) => note("onResponseStart", status),
    onResponseData: (_controller: unknown, chunk: Buffer) => note("onResponseData", String(chunk)),
    onResponseEnd() {
      setImmediate(finish);
      note("onResponseEnd");
    },
    onResponseError(_controller: unknown, error: Error) {
      setImmediate(finish);
      note("onResponseError", told(error));
    },
  };
  const handler: Record<string, unknown> = kind === "own" ? own : older;
  if (options.without !== undefined) delete handler[options.without];
  return { handler: handler as undici.Dispatcher.DispatchHandler, ended };
}

async function whole({ statusCode, headers, body, trailers }: undici.Dispatcher.ResponseData): Promise<unknown> {
  const text = await body.text();
  const { date: _, ...rest } = headers;
  return { statusCode, headers: rest, text, trailers };
}

export const REQUESTS: Cases = {
  async "a bad request with a handler that can do no more than report its error"(stage) {
    const dispatcher = await stage.over(hello);
    return ["onResponseError", "onError"].map((name) => {
      const told: unknown[] = [];
      const handler = { [name]: (...given: unknown[]) => told.push((given.at(-1) as Error).message) } as undici.Dispatcher.DispatchHandler;
      return [attempt(() => dispatcher.dispatch({ ...get, upgrade: 1 as never }, handler)), told];
    });
  },

  async "an answer, with its headers and body"(stage) {
    return whole(await (await stage.over(hello)).request(get));
  },

  async "a callback in the place of a promise, an opaque value, raw headers"(stage) {
    const dispatcher = await stage.over(hello);
    return new Promise((resolve, reject) => {
      dispatcher.request({ ...get, opaque: "mine", responseHeaders: "raw" } as never, (error, data) => {
        if (error) reject(error);
        else
          data.body
            .text()
            .then((text) => resolve({ opaque: data.opaque, text, raw: (data.headers as unknown as unknown[]).slice(0, 2).map(String) }), reject);
      });
    });
  },

  async "bodies of every kind"(stage) {
    const dispatcher = await stage.over(echo);
    const form = new undici.FormData();
    form.set("field", "value");
    const bodies: unknown[] = [
      "text",
      Buffer.from("buffer"),
      new Uint8Array([97, 98]),
      Readable.from(["a ", "stream"]),
      (async function* () {
        yield "an ";
        yield "iterator";
      })(),
      new Blob(["blob"]),
      null,
      "",
    ];
    const answers: unknown[] = [];
    for (const body of bodies) {
      const { body: back, headers } = await dispatcher.request({ path: "/", method: "POST", body: body as never });
      answers.push([headers["x-method"], await back.text()]);
    }
    const { body: back } = await dispatcher.request({ path: "/", method: "POST", body: form });
    answers.push((await back.text()).includes('name="field"'));
    return answers;
  },

  async "headers of every kind, and a query"(stage) {
    const dispatcher = await stage.over((request, response) =>
      response.end(JSON.stringify([request.url, request.headers["x-a"], request.headers["x-b"]])),
    );
    const kinds: unknown[] = [
      { "x-a": "1", "x-b": ["2", "3"] },
      ["x-a", "1", "x-b", "2"],
      new Map([
        ["x-a", "1"],
        ["x-b", "2"],
      ]),
      new undici.Headers({ "x-a": "1", "x-b": "2" }),
    ];
    const answers: unknown[] = [];
    for (const headers of kinds)
      answers.push(await (await dispatcher.request({ path: "/p", method: "GET", query: { q: [1, 2] }, headers: headers as never })).body.json());
    return answers;
  },

  async "answers without a body"(stage) {
    const dispatcher = await stage.over((request, response) => response.writeHead(Number(request.url!.slice(1))).end());
    const answers: unknown[] = [];
    for (const [method, path] of [
      ["HEAD", "/200"],
      ["GET", "/204"],
      ["GET", "/304"],
      ["OPTIONS", "/404"],
      ["DELETE", "/503"],
    ] as const) {
      answers.push(await whole(await dispatcher.request({ path, method })));
    }
    return answers;
  },

  async trailers(stage) {
    const dispatcher = await stage.over((_request, response) => {
      response.writeHead(200, { trailer: "x-sum" });
      response.write("body");
      response.addTrailers({ "x-sum": "42" });
      response.end();
    });
    return whole(await dispatcher.request(get));
  },

  async "informational answers"(stage) {
    const dispatcher = await stage.over((_request, response) => {
      response.writeProcessing();
      response.writeEarlyHints({ link: "</x.css>; rel=preload" });
      setImmediate(() => response.end("after"));
    });
    const infos: number[] = [];
    const { body } = await dispatcher.request({ ...get, onInfo: ({ statusCode }) => infos.push(statusCode) });
    return [infos, await body.text()];
  },

  async "requests that cannot be sent"(stage) {
    const dispatcher = await stage.over(hello);
    const bad: unknown[] = [
      { path: "no-slash", method: "GET" },
      { path: "/a b", method: "GET" },
      { path: 1, method: "GET" },
      { path: "/" },
      { path: "/", method: "G ET" },
      { path: "/", method: "GET", headers: { "bad name": "x" } },
      { path: "/", method: "GET", headers: { x: "bad\nvalue" } },
      { path: "/", method: "GET", headers: ["odd"] },
      { path: "/", method: "GET", headers: { "content-length": "x" } },
      { path: "/", method: "GET", headers: { "transfer-encoding": "chunked" } },
      { path: "/", method: "GET", headers: { expect: "100-continue" } },
      { path: "/", method: "POST", body: 5 },
      { path: "/", method: "POST", body: "abc", headers: { "content-length": "2" } },
      { path: "/", method: "GET", headersTimeout: -1 },
      { path: "/", method: "GET", bodyTimeout: "x" },
      { path: "/", method: "GET", upgrade: 1 },
      { path: "/", method: "GET", signal: "stop" },
      { path: "/", method: "GET", reset: 1 },
      null,
      undefined,
      "text",
    ];
    const answers: unknown[] = [];
    for (const options of bad) answers.push(await outcome((async () => whole(await dispatcher.request(options as never)))()));
    return [answers, stage.seen.length];
  },

  async "handlers that are none, of each kind: nothing is sent"(stage) {
    const dispatcher = await stage.over(hello);
    const answers: unknown[] = [];
    for (const handler of [undefined, null, 1, "x", {}]) answers.push(attempt(() => dispatcher.dispatch(get, handler as never)));
    const names = ["onConnect", "onError", "onHeaders", "onData", "onComplete", "onUpgrade"];
    for (const without of names) {
      for (const request of [get, { ...get, upgrade: "echo" }]) {
        if (without === "onError") {
          const calls: unknown[] = [];
          answers.push([without, attempt(() => dispatcher.dispatch(request, noting("older", calls, { without }).handler)), calls]);
        } else if ((without === "onUpgrade") === "upgrade" in request) {
          const calls: unknown[] = [];
          answers.push([without, attempt(() => dispatcher.dispatch(request, noting("older", calls, { without }).handler)), calls]);
        }
      }
    }
    const odd = { ...noting("older", []).handler, onBodySent: 5 };
    answers.push(attempt(() => dispatcher.dispatch(get, odd as never)));
    await new Promise(setImmediate);
    return [answers, stage.seen.length];
  },

  async "a request that is none, to handlers of both kinds"(stage) {
    const dispatcher = await stage.over(hello);
    const answers: unknown[] = [];
    for (const kind of ["own", "older"] as const) {
      for (const request of [null, undefined, 5]) {
        const calls: unknown[] = [];
        answers.push(
          attempt(() => dispatcher.dispatch(request as never, noting(kind, calls).handler)),
          calls,
        );
      }
    }
    return answers;
  },

  async "the calls to handlers of both kinds, in their order"(stage) {
    const dispatcher = await stage.over(echo);
    const answers: unknown[] = [];
    for (const kind of ["own", "older"] as const) {
      const calls: unknown[] = [];
      const { handler, ended } = noting(kind, calls);
      const thrown = attempt(() => dispatcher.dispatch({ path: "/", method: "POST", body: "body" }, handler));
      if ((thrown as { value?: boolean }).value !== undefined && calls.every((call) => !JSON.stringify(call).includes("invalid"))) await ended;
      answers.push(thrown, calls);
    }
    return answers;
  },

  async "a handler that pauses, resumes and reads raw headers through its controller"(stage) {
    const dispatcher = await stage.over((_request, response) => response.writeHead(200, { "x-mark": "a" }).end("x".repeat(200_000)));
    let bytes = 0;
    let pauses = 0;
    return new Promise((resolve, reject) => {
      dispatcher.dispatch(get, {
        onRequestStart() {},
        onResponseStart(controller, status) {
          if (status !== 200) reject(status);
          controller.pause();
          setImmediate(() => controller.resume());
        },
        onResponseData(controller, chunk) {
          bytes += chunk.length;
          if (pauses++ > 3) return;
          controller.pause();
          setImmediate(() => controller.resume());
        },
        onResponseEnd(controller) {
          const { rawHeaders } = controller as unknown as { rawHeaders: unknown[] };
          resolve({
            bytes,
            paused: controller.paused,
            aborted: controller.aborted,
            reason: controller.reason,
            mark: rawHeaders.map(String).includes("a"),
          });
        },
        onResponseError: (_controller, error) => reject(error),
      });
    });
  },

  async "stream: into a sink; a factory that throws; a sink that fails"(stage) {
    const dispatcher = await stage.over(hello);
    const sink = new PassThrough();
    const text = sink.setEncoding("utf8").toArray();
    const { trailers } = await dispatcher.stream({ ...get, opaque: 1 as never }, ({ statusCode, opaque }) => {
      sink.push(`${statusCode} ${opaque} `);
      return sink;
    });
    const thrown = await outcome(
      dispatcher.stream(get, () => {
        throw new Error("no sink");
      }),
    );
    const none = await outcome(dispatcher.stream(get, () => null as never));
    const failing = await outcome(
      dispatcher.stream(
        get,
        () =>
          new Writable({
            write(_chunk, _encoding, callback) {
              callback(new Error("full"));
            },
          }),
      ),
    );
    return { text: (await text).join(""), trailers, thrown, none, failing, after: await whole(await dispatcher.request(get)) };
  },

  async "pipeline: there and back; a handler that throws"(stage) {
    const dispatcher = await stage.over(echo);
    const duplex = dispatcher.pipeline({ path: "/", method: "PUT" }, ({ body }) => body.pipe(new PassThrough()));
    duplex.end("through");
    const text = (await duplex.setEncoding("utf8").toArray()).join("");
    const broken = dispatcher.pipeline({ path: "/", method: "PUT" }, () => {
      throw new Error("no pipeline");
    });
    broken.end("x");
    const [error] = await once(broken, "error");
    return [text, told(error)];
  },

  async "pipelining on one connection keeps the order"(stage) {
    const dispatcher = await stage.over(
      (request, response) => {
        setImmediate(() => response.end(request.url));
      },
      { connections: 1, pipelining: 4 },
    );
    const answers = await Promise.all(
      Array.from({ length: 12 }, async (_, i) => (await dispatcher.request({ path: `/${i}`, method: "GET" })).body.text()),
    );
    return [answers, new Set(stage.seen.map(({ socket }) => socket)).size];
  },

  async "fetch: an answer, a redirect, a stream there"(stage) {
    const dispatcher = await stage.over((request, response) => {
      if (request.url === "/old") response.writeHead(302, { location: "/new" }).end();
      else echo(request, response);
    });
    const at = (path: string) => `http://any.invalid${path}`;
    const redirected = await undici.fetch(at("/old"), { dispatcher });
    const posted = await undici.fetch(at("/"), { dispatcher, method: "POST", body: Readable.from([Buffer.from("up")]) as never, duplex: "half" });
    return [redirected.status, redirected.redirected, redirected.url, await redirected.text(), await posted.text()];
  },

  async "the global dispatcher, whatever the origin"(stage) {
    const dispatcher = await stage.over(hello);
    const before = undici.getGlobalDispatcher();
    undici.setGlobalDispatcher(dispatcher);
    try {
      return [
        await (await undici.request("http://any.invalid/")).body.text(),
        await (await undici.fetch("http://any.invalid/")).text(),
        await (await globalThis.fetch("http://any.invalid/")).text(),
      ];
    } finally {
      undici.setGlobalDispatcher(before);
    }
  },

  async "interceptors: redirect, retry, dump, responseError"(stage) {
    let tries = 0;
    const dispatcher = await stage.over((request, response) => {
      if (request.url === "/old") response.writeHead(302, { location: "/new" }).end();
      else if (request.url === "/flaky" && tries++ < 2) response.writeHead(503).end("sorry");
      else if (request.url === "/bad") response.writeHead(400, { "content-type": "text/plain" }).end("bad");
      else response.end(request.url);
    });
    const { redirect, retry, dump, responseError } = undici.interceptors;
    const via = async (made: undici.Dispatcher, path: string) =>
      outcome((async () => whole(await made.request({ origin: "http://any.invalid", path, method: "GET" })))());
    return [
      await via(dispatcher.compose(redirect({ maxRedirections: 3 })), "/old"),
      await via(dispatcher.compose(retry({ maxRetries: 3, minTimeout: 1, maxTimeout: 1 })), "/flaky"),
      await via(dispatcher.compose([dump({ maxSize: 1024 })]), "/x"),
      await via(dispatcher.compose(responseError()), "/bad"),
      await via(
        dispatcher.compose((dispatch) => (options, handler) => dispatch({ ...options, path: "/rewritten" }, handler)),
        "/y",
      ),
      attempt(() => dispatcher.compose(5 as never)),
      stage.seen.map(({ url }) => url),
    ];
  },

  async "the asynchronous context of the caller"(stage) {
    const dispatcher = await stage.over(hello, { connections: 1 });
    const storage = new AsyncLocalStorage<number>();
    return Promise.all(
      [1, 2, 3].map((n) =>
        storage.run(n, async () => {
          const { body } = await dispatcher.request(get);
          await body.text();
          return storage.getStore();
        }),
      ),
    );
  },

  async "limits: the size of a body, the size of headers"(stage) {
    const url = await stage.serve((request, response) =>
      request.url === "/h" ? response.writeHead(200, { x: "y".repeat(5000) }).end() : response.end("x".repeat(5000)),
    );
    const limited = stage.dispatcher(url, { maxResponseSize: 100, maxHeaderSize: 1000 });
    const read = async (path: string) => (await limited.request({ path, method: "GET" })).body.text();
    return [await outcome(read("/b")), await outcome(read("/h"))];
  },
};
