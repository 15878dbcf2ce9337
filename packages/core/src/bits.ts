/**
 * Names the bits that this library computes: it changes whenever a policy, an elementary function or a sampler gives other ones on the runs of the file of
 * reproducible hashes, which it is the hash of. Results, logs and snapshots that carry it can be told from those of a library that would have played otherwise.
 */
export const BITS = "27b5845361028bb8";
