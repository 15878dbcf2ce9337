/**
 * Names the bits that this library computes. It is the hash of the file of reproducible hashes, so it changes whenever a policy, an elementary function or a
 * sampler computes other bits on the runs of that file. Results, logs and snapshots that carry it can be distinguished from those of a library that would have played differently.
 */
export const BITS = "f79e26ff760272dc";
