/** Lets others have their turn: requests that wait, before the next part of a long computation. */
export function turn(): Promise<void> {
  return new Promise((resolve) => {
    setImmediate(resolve);
  });
}
