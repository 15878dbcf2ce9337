let next: Promise<void> | null = null;

/** Lets others have their turn: requests that wait, before the next part of a long computation. All who wait at the same time go on together. */
export function turn(): Promise<void> {
  next ??= new Promise((resolve) => {
    setImmediate(() => {
      next = null;
      resolve();
    });
  });
  return next;
}
