/** What the coordinator of a fleet reports besides results. */
export interface FleetListener {
  /** Reports the numbers of connected workers and of their slots. */
  readonly onWorkers?: (workers: number, slots: number) => void;
  /** Reports one line for people: there is no worker, or the server went away. */
  readonly onNotice?: (text: string) => void;
  /** Reports whether the server of the queue answers, as often as it is asked. */
  readonly onServer?: (answers: boolean) => void;
  /** Reports that a worker gave something else than the result of a run. */
  readonly onInvalid?: () => void;
}
