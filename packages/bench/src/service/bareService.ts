import type { Service } from "@tsallis/service";
import { server } from "../../../service/dist/server.js";

type ServerOptions = Parameters<typeof server>[0];

const DECISION = { id: "x", segment: "", arm: "a", round: 1, probability: 0.25, holdout: false, expires: 0 };
/** What answers decisions and feedback alike. */
const ANSWERS = [{ decision: DECISION, repeated: false, status: "applied" }];

/** The routes of the service as they are, with validation, hooks and answers, but nothing behind them: no policy, no store. */
export async function bareService(): Promise<Pick<Service, "listen" | "close">> {
  const queue = { submit: () => Promise.resolve(ANSWERS) };
  const nothing = () => undefined;
  const app = await server({
    registry: { queue: () => Promise.resolve(queue) },
    keyring: { isEmpty: () => Promise.resolve(true) },
    metrics: { request: nothing, feedback: nothing },
    isLoopback: true,
    openMetrics: false,
    requestsPerSecond: 1,
    maxOpen: 1,
    secret: "",
    tell: nothing,
  } as unknown as ServerOptions);
  return { listen: () => app.listen({ host: "127.0.0.1", port: 0 }), close: () => app.close() };
}
