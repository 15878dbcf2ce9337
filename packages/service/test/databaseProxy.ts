import { type AddressInfo, connect, createServer, type Socket } from "node:net";

/** What happens to an answer of the database: it passes; it is lost, and the connection breaks; nothing passes from then on, though the connection stays. */
export type AnswerFate = "pass" | "lose" | "hold";

/** Is given what a service sends, sends it on to the database, as it likes, and returns what is called when an answer comes. */
export type OnQuery = (query: Buffer, send: (part: Buffer) => void) => Promise<() => AnswerFate>;

export interface DatabaseProxy {
  /** The URL of the database, by way of this proxy. */
  readonly url: string;
  close(): Promise<void>;
}

/** Stands between a service and PostgreSQL. */
export async function databaseProxy(url: string, onQuery: OnQuery): Promise<DatabaseProxy> {
  const sockets = new Set<Socket>();
  const server = createServer((service) => {
    const database = connect(Number(new URL(url).port), "127.0.0.1");
    let onAnswer = (): AnswerFate => "pass";
    let isHeld = false;
    for (const socket of [service, database]) {
      sockets.add(socket);
      socket.on("error", () => {});
      socket.on("close", () => {
        sockets.delete(socket);
        if (isHeld) return;
        service.destroy();
        database.destroy();
      });
    }
    let last = Promise.resolve();
    service.on("data", (query) => {
      last = last.then(async () => {
        if (!isHeld) onAnswer = await onQuery(query, (part) => database.write(part));
      });
    });
    database.on("data", (answer) => {
      const fate = isHeld ? "hold" : onAnswer();
      if (fate === "pass") service.write(answer);
      if (fate === "lose") service.resetAndDestroy();
      if (fate === "hold") isHeld = true;
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const own = new URL(url);
  own.port = String((server.address() as AddressInfo).port);
  return {
    url: own.href,
    close: async () => {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
