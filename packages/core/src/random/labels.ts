import { show, TsallisError } from "../errors.js";
import { philox4x32 } from "./philox4x32.js";

/** A part of the name of a random stream. @inline */
export type Label = string | number;

/**
 * Digests a seed and labels to 128 bits: the words are absorbed two at a time as Philox keys, with the previous state
 * fed forward (Davies and Meyer). Each label is absorbed with its type and length, so ("ab", "c") and ("a", "bc") differ.
 */
export function digest(seed: number, labels: readonly Label[]): Int32Array {
  if (!(Number.isSafeInteger(seed) && seed >= 0)) {
    throw new TsallisError("ERR_PARAMETER", "seed", seed, `seed must be an integer in [0, 2^53 - 1], got ${show(seed)}`);
  }
  const words: number[] = [];
  pushInteger(words, seed);
  for (const label of labels) {
    if (typeof label === "string") {
      words.push(1, label.length);
      for (let i = 0; i < label.length; i += 2) words.push(label.charCodeAt(i) | (i + 1 < label.length ? label.charCodeAt(i + 1) << 16 : 0));
    } else if (Number.isSafeInteger(label) && label >= 0) {
      words.push(2, 2);
      pushInteger(words, label);
    } else {
      throw new TsallisError("ERR_PARAMETER", "label", label, `a label must be a string or an integer in [0, 2^53 - 1], got ${show(label)}`);
    }
  }
  if (words.length % 2 === 1) words.push(0);
  const state = new Int32Array(4);
  const previous = new Int32Array(4);
  for (let i = 0; i < words.length; i += 2) {
    previous.set(state);
    philox4x32(state, words[i]!, words[i + 1]!);
    for (let j = 0; j < 4; j++) state[j] = state[j]! ^ previous[j]!;
  }
  return state;
}

function pushInteger(words: number[], value: number): void {
  words.push(value | 0, Math.floor(value / 4294967296));
}
