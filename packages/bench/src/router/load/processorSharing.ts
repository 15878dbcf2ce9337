import { AnswerQueue } from "../worlds/answerQueue.js";
import type { Server } from "./server.js";

/**
 * All requests progress alike, each at the rate min(1, cores / requests): egalitarian processor sharing, as threads of one machine do. Its own clock shows how
 * much a request has progressed that is there from the start, so a request is done when that clock shows its work more than at its arrival, and whatever comes
 * in between changes only how fast the clock goes (virtual time; Parekh and Gallager 1993).
 */
export function processorSharing(cores: number): Server {
  const requests = new AnswerQueue();
  let size = 0;
  let clock = 0;
  let updated = 0;
  let next = Infinity;

  const rate = () => (size <= cores ? 1 : cores / size);

  function advance(now: number): void {
    clock = size === 0 ? clock : Math.min(clock + (now - updated) * rate(), requests.next);
    updated = now;
  }

  function schedule(): void {
    next = size === 0 ? Infinity : updated + (requests.next - clock) / rate();
  }

  return {
    get next() {
      return next;
    },
    accept(now, request, work) {
      advance(now);
      requests.push(clock + work, request);
      size++;
      schedule();
    },
    finish() {
      clock = requests.next;
      updated = next;
      const done = requests.pop();
      size--;
      schedule();
      return done;
    },
  };
}
