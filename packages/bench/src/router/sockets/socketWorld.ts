import { logNormal, stream } from "tsallis";
import { SIGMA, type SocketScenario } from "./socketScenarios.js";

/** A scenario with a seed: all that is random, drawn before any rule plays and the same for all of them, by the numbers of the requests. */
export interface SocketWorld {
  /** When a request is sent, in milliseconds after the start. */
  readonly times: Float64Array;
  /** The time of an answer over its median, at `request * upstreams + upstream`. */
  readonly works: Float64Array;
  readonly luck: Float64Array;
  /** Whether the caller of a request gives up early. */
  readonly isImpatient: (request: number) => boolean;
  /** Which client of a rule sends a request. */
  readonly client: (request: number) => number;
  readonly isSlow: (request: number) => boolean;
}

export function createSocketWorld(scenario: SocketScenario, seed: number): SocketWorld {
  const { name, requests, rate, medians, slowMedians, clients = 1, impatient = 0 } = scenario;
  const random = (label: string) => stream(seed, "bench router sockets", name, label);
  const uniforms = (label: string) => {
    const rng = random(label);
    return Float64Array.from({ length: requests }, () => rng.uniform());
  };
  const coming = random("times");
  let now = 0;
  const times = Float64Array.from({ length: requests }, () => {
    now -= (1000 * Math.log(coming.open())) / rate;
    return now;
  });
  const rng = random("works");
  const work = logNormal({ location: 0, scale: SIGMA });
  const patience = uniforms("patience");
  const clientDraws = uniforms("clients");
  return {
    times,
    works: Float64Array.from({ length: requests * medians.length }, () => work.sample(rng)),
    luck: uniforms("luck"),
    isImpatient: (request) => patience[request]! < impatient,
    client: (request) => Math.floor(clients * clientDraws[request]!),
    isSlow: (request) => slowMedians !== undefined && request % 10 === 9,
  };
}
