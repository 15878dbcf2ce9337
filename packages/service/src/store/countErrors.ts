import type { Store } from "./store.js";

/** A store that reports each call that it refuses or does not answer. */
export function countErrors(store: Store, onError: () => void): Store {
  return new Proxy(store, {
    get(target, name) {
      const member = Reflect.get(target, name) as unknown;
      if (typeof member !== "function") return member;
      return (...args: unknown[]) => {
        const answer: unknown = member.apply(target, args);
        if (answer instanceof Promise) answer.catch(onError);
        return answer;
      };
    },
  });
}
