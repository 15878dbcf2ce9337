// Cases for the comparison with BalancedPool: failures, aborts, timeouts, back-pressure, close and destroy, sockets that are not HTTP any more.
import { EventEmitter, once } from "node:events";
import { Readable } from "node:stream";
import { setTimeout } from "node:timers/promises";
import * as undici from "undici";
import { until } from "../../../test/until.js";
import { type Cases, noting } from "./dropInRequests.js";
import { type Answering, attempt, frame, outcome, type Stage, told } from "./dropInStage.js";

const get = { path: "/", method: "GET" } as const;
const hello: Answering = (_request, response) => response.end("hello");
const hang: Answering = () => {};
const stall: Answering = (_request, response) => {
  response.writeHead(200, { "content-length": "1000" });
  response.write("part");
};

async function asked(stage: Stage, times = 1): Promise<void> {
  await until(`${times} requests`, () => stage.seen.length >= times);
}

async function read(dispatcher: undici.Dispatcher, options: object = get): Promise<string> {
  return (await dispatcher.request(options as undici.Dispatcher.RequestOptions)).body.text();
}

/** Notes the events of a dispatcher: names, targets, errors. */
function watch(dispatcher: undici.BalancedPool, events: unknown[]): void {
  for (const name of ["connect", "disconnect", "connectionError", "drain"]) {
    (dispatcher as EventEmitter).on(name, (origin: URL, targets: unknown[], error?: Error) => {
      events.push([name, origin instanceof URL, targets.length, targets[0] === dispatcher, ...(error ? [told(error)] : [])]);
    });
  }
}

export const ENDINGS: Cases = {
  async "a refused connection"(stage) {
    const url = await stage.serve(hello);
    await stage.end();
    const events: unknown[] = [];
    const late = stage.dispatcher(url);
    watch(late, events);
    const answer = await outcome(read(late));
    return [answer, events];
  },

  async "connections that break in the headers and in the body"(stage) {
    const dispatcher = await stage.over((request, response) => {
      if (request.url === "/headers") request.socket.end("HTTP/1.1 200 OK\r\nContent-Le");
      else if (request.url === "/nonsense") request.socket.end("nonsense\r\n\r\n");
      else {
        response.writeHead(200, { "content-length": "1000" });
        response.write("part", () => setImmediate(() => response.socket?.destroy()));
      }
    });
    const answers: unknown[] = [];
    for (const path of ["/headers", "/nonsense", "/body"]) answers.push(await outcome(read(dispatcher, { path, method: "GET" })));
    return answers;
  },

  async "headersTimeout and bodyTimeout, of the request and of the pool"(stage) {
    const url = await stage.serve((request, response) => (request.url === "/stall" ? stall(request, response) : undefined));
    const patient = stage.dispatcher(url);
    const hasty = stage.dispatcher(url, { headersTimeout: 60, bodyTimeout: 60 });
    return [
      await outcome(read(patient, { path: "/hang", method: "GET", headersTimeout: 60 })),
      await outcome(read(patient, { path: "/stall", method: "GET", bodyTimeout: 60 })),
      await outcome(read(hasty, { path: "/hang", method: "GET" })),
      await outcome(read(hasty, { path: "/stall", method: "GET" })),
    ];
  },

  async "aborts before anything is sent"(stage) {
    const dispatcher = await stage.over(hello);
    const emitter = new EventEmitter();
    const answers = [
      await outcome(read(dispatcher, { ...get, signal: AbortSignal.abort() })),
      await outcome(read(dispatcher, { ...get, signal: AbortSignal.abort(new Error("mine")) })),
      await outcome(dispatcher.stream({ ...get, signal: AbortSignal.abort() }, () => new (class extends EventEmitter {})() as never)),
      await outcome(undici.fetch("http://any.invalid/", { dispatcher, signal: AbortSignal.abort() })),
    ];
    const pending = outcome(read(dispatcher, { ...get, signal: emitter }));
    emitter.emit("abort");
    answers.push(await pending);
    return [answers, stage.seen.length];
  },

  async "aborts while the answer is awaited"(stage) {
    const dispatcher = await stage.over(hang);
    const answers: unknown[] = [];
    for (const reason of [undefined, new Error("mine"), "text"]) {
      const controller = new AbortController();
      const before = stage.seen.length;
      const pending = outcome(read(dispatcher, { ...get, signal: controller.signal }));
      await asked(stage, before + 1);
      controller.abort(reason);
      answers.push(await pending);
    }
    const controller = new AbortController();
    const before = stage.seen.length;
    const pending = outcome(undici.fetch("http://any.invalid/", { dispatcher, signal: controller.signal }));
    await asked(stage, before + 1);
    controller.abort();
    answers.push(await pending);
    return answers;
  },

  async "aborts within the body, and after it"(stage) {
    const dispatcher = await stage.over((request, response) => (request.url === "/stall" ? stall(request, response) : hello(request, response)));
    const controller = new AbortController();
    const { body, statusCode } = await dispatcher.request({ path: "/stall", method: "GET", signal: controller.signal });
    controller.abort(new Error("enough"));
    const within = await outcome(body.text());
    const late = new AbortController();
    const text = await read(dispatcher, { ...get, signal: late.signal });
    late.abort();
    const destroyed = await dispatcher.request({ path: "/stall", method: "GET" });
    await new Promise<void>((resolve) => {
      destroyed.body
        .on("error", () => {})
        .on("close", () => resolve())
        .destroy();
    });
    return [statusCode, within, text, await read(dispatcher)];
  },

  async "a handler that aborts, of each kind"(stage) {
    const dispatcher = await stage.over(hang);
    const own = new Promise((resolve) => {
      dispatcher.dispatch(get, {
        onRequestStart: (controller) => void asked(stage).then(() => controller.abort(new Error("enough"))),
        onResponseStart() {},
        onResponseData() {},
        onResponseEnd() {},
        onResponseError: (controller, error) => resolve([controller.aborted, told(controller.reason), told(error)]),
      });
    });
    const early = new Promise((resolve) => {
      dispatcher.dispatch(get, {
        onRequestStart: (controller) => controller.abort(new Error("at once")),
        onResponseStart() {},
        onResponseData() {},
        onResponseEnd() {},
        onResponseError: (controller, error) => resolve([controller.aborted, told(error)]),
      });
    });
    return Promise.all([own, early]);
  },

  async "handlers that throw, of each kind, in each call"(stage) {
    const answers: unknown[] = [];
    const names = {
      own: ["onRequestStart", "onRequestSent", "onBodySent", "onResponseStart", "onResponseData", "onResponseEnd"],
      older: ["onConnect", "onRequestSent", "onBodySent", "onHeaders", "onData", "onComplete"],
    };
    for (const kind of ["own", "older"] as const) {
      for (const throwIn of names[kind]) {
        const dispatcher = await stage.over((request, response) => request.resume().on("end", () => response.end("hello")));
        const calls: unknown[] = [];
        const { handler, ended } = noting(kind, calls, { throwIn });
        const returned = attempt(() => dispatcher.dispatch({ path: "/", method: "POST", body: "body" }, handler));
        if ("value" in (returned as object) && !JSON.stringify(calls).includes("UND_ERR_INVALID_ARG")) await ended;
        answers.push([throwIn, returned, calls]);
        await outcome(read(dispatcher)).then((after) => answers.push(after));
      }
    }
    return answers;
  },

  async "a body of the caller that fails"(stage) {
    const dispatcher = await stage.over((request, response) => request.resume().on("end", () => response.end("x")));
    const failing = new Readable({
      read() {
        this.destroy(new Error("the disk is gone"));
      },
    });
    const iterator = (async function* () {
      yield "a";
      throw new Error("no more");
    })();
    return [
      await outcome(read(dispatcher, { path: "/", method: "POST", body: failing })),
      await outcome(read(dispatcher, { path: "/", method: "POST", body: iterator })),
      await outcome(read(dispatcher, { path: "/", method: "POST", body: Readable.from(["abc"]), headers: { "content-length": "10" } })),
      await outcome(read(dispatcher)),
    ];
  },

  async "events about connections"(stage) {
    const dispatcher = await stage.over(hello);
    const events: unknown[] = [];
    watch(dispatcher, events);
    await read(dispatcher);
    const gone = once(dispatcher, "disconnect");
    stage.cut();
    await gone;
    await read(dispatcher);
    await dispatcher.close();
    return events;
  },

  async "back-pressure: what dispatch returns, and the event drain"(stage) {
    const gates: (() => void)[] = [];
    const dispatcher = await stage.over((_request, response) => gates.push(() => response.end("x")), { connections: 2, pipelining: 1 });
    const events: unknown[] = [];
    watch(dispatcher, events);
    const returned: unknown[] = [];
    const ends: Promise<void>[] = [];
    for (let i = 0; i < 5; i++) {
      const { handler, ended } = noting("own", []);
      returned.push(dispatcher.dispatch(get, handler));
      ends.push(ended);
    }
    const opening = setInterval(() => gates.splice(0).forEach((open) => void open()), 1);
    await Promise.all(ends);
    clearInterval(opening);
    await new Promise(setImmediate);
    return [returned, events.filter((event) => (event as string[])[0] === "drain"), dispatcher.dispatch(get, noting("own", []).handler)];
  },

  async "stats: before, while requests wait and run, and afterwards"(stage) {
    const gates: (() => void)[] = [];
    const dispatcher = (await stage.over((_request, response) => gates.push(() => response.end("x")), { connections: 1 })) as undici.BalancedPool & {
      stats: object;
    };
    const answers: unknown[] = [{ ...dispatcher.stats }];
    const pending = [1, 2, 3].map(() => read(dispatcher));
    await asked(stage);
    const { queued, pending: waiting, ...rest } = dispatcher.stats as Record<string, number>;
    // A BalancedPool keeps what waits in its own queue, the router in the pool that was chosen.
    answers.push({ ...rest, waiting: waiting! > 0 ? waiting : queued });
    const opening = setInterval(() => gates.splice(0).forEach((open) => void open()), 1);
    await Promise.all(pending);
    clearInterval(opening);
    await until("idle", () => (dispatcher.stats as Record<string, number>).running === 0);
    answers.push({ ...dispatcher.stats });
    await dispatcher.close();
    answers.push({ ...dispatcher.stats });
    return answers;
  },

  async "closing: flags, waiting, and what comes too late"(stage) {
    const gates: (() => void)[] = [];
    const dispatcher = await stage.over((_request, response) => gates.push(() => response.end("late")));
    const flags: unknown[] = [];
    const flag = () => flags.push([dispatcher.closed, dispatcher.destroyed]);
    flag();
    const pending = read(dispatcher);
    await asked(stage);
    const order: string[] = [];
    const closing = [
      dispatcher.close().then(() => order.push("closed")),
      new Promise<void>((resolve) => dispatcher.close(() => resolve(void order.push("again")))),
    ];
    flag();
    const calls: unknown[] = [];
    const refusals = [
      await outcome(read(dispatcher)),
      await outcome(undici.fetch("http://any.invalid/", { dispatcher })),
      attempt(() => dispatcher.dispatch(get, noting("own", calls).handler)),
      attempt(() => dispatcher.dispatch(get, {} as never)),
      attempt(() => dispatcher.dispatch(null as never, noting("own", calls).handler)),
    ];
    gates[0]!();
    const text = await pending.then((value) => {
      order.push("answered");
      return value;
    });
    await Promise.all(closing);
    flag();
    return [
      flags,
      refusals,
      calls,
      text,
      [order[0], ...order.slice(1).sort()],
      await outcome(read(dispatcher)),
      await outcome(dispatcher.close()),
      await outcome(dispatcher.destroy()),
      stage.seen.length,
    ];
  },

  async "destroying: flags, requests under way, and what comes too late"(stage) {
    const dispatcher = await stage.over(hang, { connections: 1 });
    const pending = [1, 2, 3].map(() => outcome(read(dispatcher)));
    await asked(stage);
    const destroying = dispatcher.destroy(new Error("the end"));
    const flags: unknown[] = [[dispatcher.closed, dispatcher.destroyed]];
    const late = await outcome(read(dispatcher));
    await destroying;
    flags.push([dispatcher.closed, dispatcher.destroyed]);
    return [flags, await Promise.all(pending), late, await outcome(dispatcher.close()), await outcome(dispatcher.destroy(null))];
  },

  async "destroying without an error, and while it closes"(stage) {
    const [first, second] = [await stage.over(hang), await stage.over(hang)];
    const one = outcome(read(first));
    const two = outcome(read(second));
    await asked(stage, 2);
    await new Promise<void>((resolve) => first.destroy(() => resolve()));
    const closing = second.close();
    await new Promise<void>((resolve) => second.destroy(new Error("after all"), () => resolve()));
    return [await one, await two, await outcome(closing)];
  },

  async "closing and destroying below an interceptor"(stage) {
    const answers: unknown[] = [];
    for (const end of ["close", "destroy"] as const) {
      const dispatcher = await stage.over(hello);
      const composed = dispatcher.compose((dispatch) => (options, handler) => dispatch(options, handler));
      answers.push(await read(composed), await outcome(composed[end]()), dispatcher.closed, dispatcher.destroyed, await outcome(read(composed)));
    }
    return answers;
  },

  async "callbacks that are none"(stage) {
    const dispatcher = await stage.over(hello);
    return [
      attempt(() => dispatcher.close(5 as never)),
      attempt(() => dispatcher.destroy(null, 5 as never)),
      dispatcher.closed,
      await read(dispatcher),
    ];
  },

  async "an upgrade, and one that is refused"(stage) {
    const dispatcher = await stage.over({ upgraded: (socket) => void socket.on("data", (data) => socket.write(data)) });
    const { headers, socket } = await dispatcher.upgrade({ path: "/", protocol: "echo" });
    socket.write("raw");
    const [data] = await once(socket, "data");
    socket.destroy();
    const plain = await stage.over(hello);
    return [headers.upgrade, String(data), await outcome(plain.upgrade({ path: "/", protocol: "echo" }))];
  },

  async CONNECT(stage) {
    const dispatcher = await stage.over({ tunnel: (socket) => void socket.on("data", (data) => socket.write(data)) });
    const { statusCode, socket } = await dispatcher.connect({ path: "elsewhere.invalid:80" });
    socket.write("through");
    const [data] = await once(socket, "data");
    socket.destroy();
    return [statusCode, String(data)];
  },

  async "the options for WebSockets and events, by default and as given"(stage) {
    const url = await stage.serve(hello);
    const plain = stage.dispatcher(url) as unknown as Record<string, unknown>;
    const given = stage.dispatcher(url, {
      webSocket: { maxFragments: 3, maxPayloadSize: 100 },
      eventSource: { maxEventSize: 7 },
    } as never) as unknown as Record<string, unknown>;
    return [plain, given].map((dispatcher) => [
      dispatcher.webSocketOptions,
      dispatcher.eventSourceOptions,
      dispatcher instanceof undici.BalancedPool,
      (dispatcher.upstreams as string[]).length,
    ]);
  },

  async "a WebSocket: messages there and back"(stage) {
    const dispatcher = await stage.over({
      upgraded: (socket) => {
        socket.write(frame("welcome"));
        socket.once("data", (data) => socket.end(frame(`got opcode ${data[0]! & 15}`)));
      },
    });
    return conversation(dispatcher);
  },

  async "a WebSocket: more bytes, or more fragments, than allowed"(stage) {
    const large = await stage.over({ upgraded: (socket) => void socket.write(frame("x".repeat(500))) }, {
      webSocket: { maxPayloadSize: 100 },
    } as never);
    const many = await stage.over(
      {
        upgraded: (socket) =>
          void socket.write(
            Buffer.concat([
              frame("a", { fin: false }),
              ...Array.from({ length: 5 }, () => frame("b", { opcode: 0, fin: false })),
              frame("c", { opcode: 0 }),
            ]),
          ),
      },
      { webSocket: { maxFragments: 3 } } as never,
    );
    return [await conversation(large), await conversation(many)];
  },

  async "events of an EventSource, and one that is too large"(stage) {
    const answer: Answering = (_request, response) => {
      response.writeHead(200, { "content-type": "text/event-stream" });
      response.write(`id: 1\nevent: note\ndata: hello\n\ndata: ${"x".repeat(300)}\n\n`);
    };
    const listen = async (dispatcher: undici.Dispatcher) => {
      const events: unknown[] = [];
      const source = new undici.EventSource("http://any.invalid/", { dispatcher } as never);
      source.addEventListener("open", () => events.push("open"));
      source.addEventListener("note", ((event: undici.MessageEvent) => events.push([event.data, event.lastEventId])) as never);
      await new Promise<void>((resolve) => {
        source.addEventListener("message", ({ data }) => {
          events.push(data.length);
          resolve();
        });
        source.addEventListener("error", () => {
          events.push("error");
          resolve();
        });
      });
      source.close();
      return events;
    };
    return [await listen(await stage.over(answer)), await listen(await stage.over(answer, { eventSource: { maxEventSize: 100 } } as never))];
  },

  async "two upstreams: all is answered, and one of them may be a URL with a slash"(stage) {
    const urls = [await stage.serve(hello), `${await stage.serve(hello)}/`];
    const dispatcher = stage.dispatcher(urls);
    const texts = await Promise.all(Array.from({ length: 20 }, () => read(dispatcher)));
    await setTimeout(1);
    return [new Set(texts).size, texts[0], dispatcher.upstreams.length];
  },
};

/** What happens on a WebSocket until it is closed. */
async function conversation(dispatcher: undici.Dispatcher): Promise<unknown[]> {
  const events: unknown[] = [];
  const socket = new undici.WebSocket("ws://any.invalid/", { dispatcher });
  socket.addEventListener("open", () => events.push("open"));
  socket.addEventListener("message", ({ data }) => {
    events.push(data);
    socket.send("thanks");
  });
  socket.addEventListener("error", ({ error }) => events.push(["error", told(error)]));
  await new Promise<void>((resolve) => {
    socket.addEventListener("close", ({ code, reason, wasClean }) => {
      events.push(["close", code, reason, wasClean]);
      resolve();
    });
  });
  return events;
}
