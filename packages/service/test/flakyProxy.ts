import { type AddressInfo, connect, createServer, type Socket } from "node:net";

/** What happens to an answer: it passes, it is lost and the connection breaks, its end is lost, or it is held back for ever; or the request is lost. */
export type Fate = "pass" | "lose" | "halve" | "hold" | "refuse";

export interface FlakyProxy {
  readonly url: string;
  /** How many connections were used. */
  readonly connections: number;
  close(): Promise<void>;
}

/**
 * Stands between a client and a server, one connection per request, and lets answers get lost after the server has written them. `fate` is asked for each
 * connection, by its number.
 */
export async function flakyProxy(port: number, fate: (connection: number) => Fate): Promise<FlakyProxy> {
  const sockets = new Set<Socket>();
  let connections = 0;
  const server = createServer((client) => {
    let what: Fate | undefined;
    const upstream = connect(port, "127.0.0.1");
    for (const socket of [client, upstream]) {
      sockets.add(socket);
      socket.on("error", () => {});
      socket.on("close", () => {
        sockets.delete(socket);
        upstream.destroy();
        if (what !== "hold") client.destroy();
      });
    }
    client.on("data", (data) => {
      // Connections may be made long before they are used.
      what ??= fate(connections++);
      if (what === "refuse") client.resetAndDestroy();
      // Each request has a connection of its own, so that each has a fate of its own.
      else upstream.write(data.toString("latin1").replace(/^connection: keep-alive/im, "connection: close"), "latin1");
    });
    upstream.on("data", (data) => {
      if (what === "pass") client.write(data);
      if (what === "lose") client.resetAndDestroy();
      if (what === "halve") client.write(data.subarray(0, data.length - 10), () => client.resetAndDestroy());
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    get connections() {
      return connections;
    },
    close: async () => {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
