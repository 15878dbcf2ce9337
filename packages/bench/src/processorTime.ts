/**
 * Milliseconds that this process has worked so far, its helper threads included. One thread works at a time in a benchmark, so this is
 * that thread's own clock, which stands still while another program has the processor.
 */
export function processorTime(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}
