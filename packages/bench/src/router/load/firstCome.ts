import { AnswerQueue } from "../worlds/answerQueue.js";
import type { Server } from "./server.js";

/** Each core works on one request at a time, and the others wait in the order of their arrival. */
export function firstCome(cores: number): Server {
  const busy = new AnswerQueue();
  const waiting: { readonly request: number; readonly work: number }[] = [];
  let working = 0;
  let served = 0;
  return {
    get next() {
      return busy.next;
    },
    accept(now, request, work) {
      if (working === cores) {
        waiting.push({ request, work });
        return;
      }
      working++;
      busy.push(now + work, request);
    },
    finish() {
      const now = busy.next;
      const done = busy.pop();
      if (served === waiting.length) working--;
      else {
        const { request, work } = waiting[served++]!;
        busy.push(now + work, request);
      }
      return done;
    },
  };
}
