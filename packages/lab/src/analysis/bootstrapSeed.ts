/** The seed of an experiment's bootstraps: the first 52 bits of its hash. */
export function bootstrapSeed(hash: string): number {
  return Number.parseInt(hash.slice(0, 13), 16);
}
