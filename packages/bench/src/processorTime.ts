/**
 * The processor time of this process so far in milliseconds, helper threads included. Only one thread works at a time in a benchmark, so this is
 * that thread's own clock. It stands still while another program has the processor.
 */
export function processorTime(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}
