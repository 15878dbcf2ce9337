/** What the coordinator of a fleet reports besides results. */
export interface FleetListener {
  /** Reports the numbers of connected workers and of their slots. */
  readonly onWorkers?: (workers: number, slots: number) => void;
  /** Reports one line for people: there is no worker, or the server went away. */
  readonly onNotice?: (text: string) => void;
}
