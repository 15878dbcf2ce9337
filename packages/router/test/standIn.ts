import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo, Socket } from "node:net";

export type Behaviour = (request: IncomingMessage, response: ServerResponse) => void;

/** A real HTTP server on a free loopback port. Its behaviour can be changed while it runs. */
export class StandIn {
  behaviour: Behaviour;
  readonly requests: IncomingMessage[] = [];
  readonly sockets = new Set<Socket>();
  connections = 0;
  #server: Server;
  #port = 0;

  constructor(behaviour: Behaviour = answer("ok")) {
    this.behaviour = behaviour;
    this.#server = this.#listener();
  }

  get url(): string {
    return `http://127.0.0.1:${this.#port}`;
  }

  async start(): Promise<this> {
    await new Promise<void>((resolve, reject) => this.#server.once("error", reject).listen(this.#port, "127.0.0.1", resolve));
    this.#port = (this.#server.address() as AddressInfo).port;
    return this;
  }

  /** Stops listening, so that connections are refused. */
  async stop(): Promise<void> {
    const closed = new Promise((resolve) => this.#server.close(resolve));
    for (const socket of this.sockets) socket.destroy();
    await closed;
  }

  /** Listens again on the same port. */
  async restart(): Promise<void> {
    this.#server = this.#listener();
    await this.start();
  }

  #listener(): Server {
    const server = createServer((request, response) => {
      this.requests.push(request);
      this.behaviour(request, response);
    });
    server.on("connection", (socket) => {
      this.connections++;
      this.sockets.add(socket);
      socket.on("error", () => {}).on("close", () => this.sockets.delete(socket));
    });
    server.on("upgrade", (_request, socket: Socket) => {
      socket.on("error", () => {}).on("data", (data) => socket.write(data));
      socket.write("HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: echo\r\n\r\n");
    });
    return server;
  }
}

export const answer =
  (body: string, status = 200, headers: Record<string, string> = {}): Behaviour =>
  (_request, response) =>
    response.writeHead(status, headers).end(body);

/** Never answers. */
export const hang: Behaviour = () => {};

/** Cuts the connection after a part of the status line and headers. */
export const resetInHeaders: Behaviour = (request) => {
  request.socket.write("HTTP/1.1 200 OK\r\nContent-Le", () => request.socket.resetAndDestroy());
};

/** Cuts the connection after a part of the body. */
export const resetInBody: Behaviour = (_request, response) => {
  response.writeHead(200, { "content-length": "1000" });
  response.write("the first part", () => setImmediate(() => response.socket?.resetAndDestroy()));
};

/** Sends headers and a part of the body, and then nothing more. */
export const stall: Behaviour = (_request, response) => {
  response.writeHead(200, { "content-length": "1000" });
  response.write("the first part");
};

/** Sends back what it receives, as it comes. */
export const echo: Behaviour = (request, response) => {
  response.writeHead(200, { "x-method": request.method!, "x-seen": String(request.headers["x-mark"]) });
  request.pipe(response);
};

const started: StandIn[] = [];

export async function standIns(...behaviours: Behaviour[]): Promise<StandIn[]> {
  const fresh = await Promise.all(behaviours.map((behaviour) => new StandIn(behaviour).start()));
  started.push(...fresh);
  return fresh;
}

/** For afterEach. */
export async function stopAll(): Promise<void> {
  await Promise.all(started.splice(0).map((server) => server.stop().catch(() => {})));
}
