/** A number that a scene lets people change. */
export interface Handle {
  readonly name: string;
  readonly label: string;
  readonly low: number;
  readonly high: number;
  readonly step: number;
  readonly initial: number;
  /** The value in words; the plain number if left out. */
  readonly show?: (value: number) => string;
}

export type Handles = Readonly<Record<string, number>>;

export function initialHandles(handles: readonly Handle[]): Handles {
  return Object.fromEntries(handles.map(({ name, initial }) => [name, initial]));
}
