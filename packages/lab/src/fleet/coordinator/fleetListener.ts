/** What the coordinator of a fleet has to tell beside results. */
export interface FleetListener {
  /** So many workers are connected, with so many slots in all. */
  readonly onWorkers?: (workers: number, slots: number) => void;
  /** One line for people: no worker is there, the server went away. */
  readonly onNotice?: (text: string) => void;
}
