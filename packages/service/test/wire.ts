import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { type Answer, answerOf } from "./answers.js";

/** A connection to a port of this machine, for what no client would send. */
export class Wire {
  #text = "";
  readonly #ended: Promise<unknown>;

  private constructor(readonly socket: Socket) {
    socket.setEncoding("latin1").on("data", (text) => (this.#text += text));
    // A reset ends it too.
    socket.on("error", () => {});
    this.#ended = once(socket, "close");
  }

  static async to(port: number): Promise<Wire> {
    const wire = new Wire(connect(port, "127.0.0.1"));
    await once(wire.socket, "connect");
    return wire;
  }

  /** All that has come so far. */
  get text(): string {
    return this.#text;
  }

  send(text: string | Buffer): this {
    this.socket.write(text);
    return this;
  }

  /** Waits until the other side ends the connection. Resolves to the answers that came, without those that only say that the sender may go on. */
  async answers(): Promise<Answer[]> {
    await this.#ended;
    return answersIn(this.#text);
  }
}

/** Sends a text, and resolves to what was answered when the other side ends the connection. */
export async function wired(port: number, text: string | Buffer): Promise<Answer[]> {
  return (await Wire.to(port)).send(text).answers();
}

function answersIn(text: string): Answer[] {
  if (text === "") return [];
  const [head, rest] = split(text, "\r\n\r\n");
  const [first, ...lines] = head.split("\r\n");
  const headers = new Headers(lines.map((line) => split(line, ":").map((part) => part.trim()) as [string, string]));
  const status = Number(/^HTTP\/1\.1 (\d{3}) /.exec(first!)?.[1]);
  if (status === 100) return answersIn(rest);
  const length = Number(headers.get("content-length") ?? rest.length);
  return [answerOf(status, headers, rest.slice(0, length)), ...answersIn(rest.slice(length))];
}

function split(text: string, by: string): [string, string] {
  const at = text.indexOf(by);
  return at < 0 ? [text, ""] : [text.slice(0, at), text.slice(at + by.length)];
}
