import type { Store } from "./store.js";

/** A store that reports each call that it refuses or does not answer. */
export function countErrors(store: Store, onError: () => void): Store {
  const counted = new Map<PropertyKey, unknown>();
  return new Proxy(store, {
    get(target, name) {
      if (!counted.has(name)) counted.set(name, wrapped(target, Reflect.get(target, name), onError));
      return counted.get(name);
    },
  });
}

function wrapped(store: Store, member: unknown, onError: () => void): unknown {
  if (typeof member !== "function") return member;
  return (...args: unknown[]) => {
    const answer: unknown = member.apply(store, args);
    if (answer instanceof Promise) answer.catch(onError);
    return answer;
  };
}
