import { createHash } from "node:crypto";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo, Socket } from "node:net";
import type { BalancedPool, Pool } from "undici";

export type Answering = (request: IncomingMessage, response: ServerResponse) => void;

export interface Serving {
  readonly answer?: Answering;
  /** For upgrades; the connection is open, and the protocol has been switched. */
  readonly upgraded?: (socket: Socket) => void;
  /** For CONNECT. */
  readonly tunnel?: (socket: Socket) => void;
}

/** Upstreams are whatever a BalancedPool takes, which is more than its types say. */
export type Make = (upstreams: unknown, options: Pool.Options) => BalancedPool;

/** What a case plays with: real servers, and one kind of dispatcher over them. All of it is gone afterwards. */
export class Stage {
  readonly seen: IncomingMessage[] = [];
  readonly #servers: Server[] = [];
  readonly #sockets = new Set<Socket>();
  readonly #made: BalancedPool[] = [];

  constructor(readonly make: Make) {}

  /** A dispatcher over a single new server. */
  async over(serving: Serving | Answering, options: Pool.Options = {}): Promise<BalancedPool> {
    return this.dispatcher(await this.serve(serving), options);
  }

  dispatcher(upstreams: unknown, options: Pool.Options = {}): BalancedPool {
    const made = this.make(upstreams, options);
    this.#made.push(made);
    return made;
  }

  /** Starts a server, on a free port unless it gets the path of a Unix socket. */
  async serve(given: Serving | Answering, socketPath?: string): Promise<string> {
    const { answer, upgraded, tunnel }: Serving = typeof given === "function" ? { answer: given } : given;
    const server = createServer((request, response) => {
      this.seen.push(request);
      answer?.(request, response);
    });
    server.on("connection", (socket) => {
      this.#sockets.add(socket);
      socket.on("error", () => {}).on("close", () => this.#sockets.delete(socket));
    });
    if (upgraded) {
      server.on("upgrade", (request, socket: Socket) => {
        const { upgrade, "sec-websocket-key": key } = request.headers;
        const accept = key === undefined ? "" : `Sec-WebSocket-Accept: ${acceptOf(key)}\r\n`;
        socket.write(`HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: ${upgrade}\r\n${accept}\r\n`);
        upgraded(socket);
      });
    }
    if (tunnel) {
      server.on("connect", (_request, socket: Socket) => {
        socket.write("HTTP/1.1 200 Connection established\r\n\r\n");
        tunnel(socket);
      });
    }
    await new Promise<void>((resolve) => (socketPath === undefined ? server.listen(0, "127.0.0.1", resolve) : server.listen(socketPath, resolve)));
    this.#servers.push(server);
    if (socketPath !== undefined) return socketPath;
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  }

  /** Cuts all connections to the servers. */
  cut(): void {
    for (const socket of this.#sockets) socket.destroy();
  }

  async end(): Promise<void> {
    await Promise.all(this.#made.map((dispatcher) => dispatcher.destroy()));
    const closing = this.#servers.map((server) => new Promise((resolve) => server.close(resolve)));
    this.cut();
    await Promise.all(closing);
  }
}

function acceptOf(key: string): string {
  return createHash("sha1").update(`${key}258EAFA5-E914-47DA-95CA-C5AB0DC85B11`).digest("base64");
}

/** A frame of a WebSocket as a server sends it, of at most 65,535 bytes. */
export function frame(payload: string, { opcode = 1, fin = true } = {}): Buffer {
  const body = Buffer.from(payload);
  const head = body.length < 126 ? Buffer.from([0, body.length]) : Buffer.from([0, 126, body.length >> 8, body.length & 255]);
  head[0] = (fin ? 0x80 : 0) | opcode;
  return Buffer.concat([head, body]);
}

/** An error as two dispatchers can be compared by: without numbers of ports. */
export function told(error: unknown): unknown {
  if (!(error instanceof Error)) return error;
  const { name, message, cause } = error;
  const { code } = error as NodeJS.ErrnoException;
  return { name, code, message: message.replace(/127\.0\.0\.1:\d+/g, "SERVER"), ...(cause !== undefined && { cause: told(cause) }) };
}

/** What becomes of a promise. */
export async function outcome(promise: Promise<unknown>): Promise<unknown> {
  try {
    return { value: await promise };
  } catch (error) {
    return { error: told(error) };
  }
}

/** What becomes of a call. */
export function attempt(call: () => unknown): unknown {
  try {
    return { value: call() };
  } catch (error) {
    return { thrown: told(error) };
  }
}
