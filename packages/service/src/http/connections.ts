import type { Server, ServerResponse } from "node:http";
import type { Socket } from "node:net";

/** A request that was sent before the end may still be on its way for so long. */
const ON_ITS_WAY_MS = 500;

/** The connections of a server, and the answers that are due on each. */
export class Connections {
  readonly #due = new Map<Socket, Set<ServerResponse>>();

  constructor(server: Server) {
    server.on("connection", (socket: Socket) => {
      this.#due.set(socket, new Set());
      socket.once("close", () => this.#due.delete(socket));
    });
    server.on("request", ({ socket }, response) => {
      const due = this.#due.get(socket);
      due?.add(response);
      response.once("close", () => due?.delete(response));
    });
  }

  /** Whether a whole request waits for its answer. Whatever is written there now would be taken for it. */
  isAnswerDue(socket: Socket): boolean {
    return [...(this.#due.get(socket) ?? [])].some(({ req }) => req.complete);
  }

  /** Lets every connection end after the answers that are due. Those on which nothing was ever asked, as browsers keep them ready, end soon. */
  end(): void {
    setTimeout(() => {
      for (const socket of this.#due.keys()) if (socket.bytesRead === 0) socket.destroy();
    }, ON_ITS_WAY_MS).unref();
    for (const [socket, due] of this.#due) {
      const last = [...due].at(-1);
      if (last === undefined) continue;
      if (!last.headersSent) last.setHeader("connection", "close");
      last.once("finish", () => socket.end());
    }
  }
}
