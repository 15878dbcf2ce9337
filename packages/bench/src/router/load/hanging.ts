import type { Server } from "./server.js";

/** A server that stands still for a time. What it has then, and what comes meanwhile, goes on after that as if the time had not been. */
export function hanging(server: Server, { from, to }: { readonly from: number; readonly to: number }): Server {
  return {
    get next() {
      return server.next < from ? server.next : server.next + (to - from);
    },
    accept(now, request, work) {
      server.accept(now < from ? now : Math.max(from, now - (to - from)), request, work);
    },
    finish: () => server.finish(),
  };
}
