/**
 * The inner loop of all resampling, in WebAssembly: JavaScript has no instructions that add or multiply two numbers at once, and takes three times as
 * long. Both compute the same bits, because every sum is still added up in the order of its positions.
 *
 * In pseudocode, for each list l from 0 to lists - 1, with `a` and `b` for the pairs of columns (0, 1) and (2, 3):
 *
 *     a = b = aa = bb = (0, 0)
 *     for (at = bounds[l]; at != bounds[l + 1]; at++)
 *       x = side[4 positions[at]], side[4 positions[at] + 1];      a += x;  aa += x x
 *       x = side[4 positions[at] + 2], side[4 positions[at] + 3];  b += x;  bb += x x
 *     into[8 l .. 8 l + 7] = a, b, aa, bb
 */
export interface SumKernel {
  readonly memory: { readonly buffer: ArrayBuffer; grow(pages: number): number };
  /** All but `lists` are addresses in the memory, in bytes. There must be at least one list. */
  sum(side: number, positions: number, bounds: number, lists: number, into: number): void;
}

/** Node's types lack it. */
declare const WebAssembly: {
  readonly Module: new (bytes: Uint8Array) => object;
  readonly Instance: new (module: object) => { readonly exports: object };
};

/** The number of columns that are summed at once. */
export const LANES = 4;

let kernel: SumKernel | undefined;

/** One for all of a thread: its memory grows to what the largest sums need, and stays. */
export function sumKernel(): SumKernel {
  kernel ??= new WebAssembly.Instance(new WebAssembly.Module(assembled())).exports as SumKernel;
  return kernel;
}

// The instructions, by their codes in the WebAssembly Core Specification 2.0, chapter 5. Constants and offsets below 64 take one byte.

const BLOCK = [0x02, 0x40];
const LOOP = [0x03, 0x40];
const END = 0x0b;
const branch = (depth: number) => [0x0c, depth];
const branchIf = (depth: number) => [0x0d, depth];
const get = (local: number) => [0x20, local];
const set = (local: number) => [0x21, local];
/** Sets the local, and leaves its value. */
const tee = (local: number) => [0x22, local];
const load = (offset: number) => [0x28, 2, offset];
const constant = (value: number) => [0x41, value];
const EQUAL = 0x46;
const ADD = 0x6a;
const SUBTRACT = 0x6b;
const SHIFT_LEFT = 0x74;
const loadPair = (offset: number) => [0xfd, 0x00, 3, offset];
const storePair = (offset: number) => [0xfd, 0x0b, 3, offset];
const ZERO_PAIR = [0xfd, 0x0c, ...new Array<number>(16).fill(0)];
const ADD_PAIR = [0xfd, 0xf0, 0x01];
const MULTIPLY_PAIR = [0xfd, 0xf2, 0x01];

const INTEGER = 0x7f;
const PAIR = 0x7b;

function assembled(): Uint8Array {
  const [side, positions, bounds, lists, into] = [0, 1, 2, 3, 4] as const;
  const [at, end, first] = [5, 6, 7] as const;
  const [a, b, aa, bb, x] = [8, 9, 10, 11, 12] as const;
  const addressOf = (offset: number) => [get(bounds), load(offset), constant(2), SHIFT_LEFT, get(positions), ADD];
  const addPair = (offset: number, sum: number, squares: number) => [
    [get(first), loadPair(offset), tee(x), get(sum), ADD_PAIR, set(sum)],
    [get(x), get(x), MULTIPLY_PAIR, get(squares), ADD_PAIR, set(squares)],
  ];
  const advance = (local: number, bytes: number) => [get(local), constant(bytes), ADD, set(local)];
  const body = [
    LOOP,
    [a, b, aa, bb].map((sum) => [ZERO_PAIR, set(sum)]),
    [addressOf(0), set(at), addressOf(4), set(end)],
    [BLOCK, LOOP],
    [get(at), get(end), EQUAL, branchIf(1)],
    // Four doubles are 32 bytes.
    [get(at), load(0), constant(5), SHIFT_LEFT, get(side), ADD, set(first)],
    [addPair(0, a, aa), addPair(16, b, bb)],
    [advance(at, 4), branch(0)],
    [END, END],
    [a, b, aa, bb].map((sum, i) => [get(into), get(sum), storePair(16 * i)]),
    [advance(into, 32), advance(into, 32), advance(bounds, 4)],
    [get(lists), constant(1), SUBTRACT, tee(lists), branchIf(0)],
    [END, END],
  ];
  const locals = vector([
    [3, INTEGER],
    [5, PAIR],
  ]);
  return Uint8Array.from([
    ...[0x00, 0x61, 0x73, 0x6d, 0x01, 0x00, 0x00, 0x00],
    ...section(1, [[0x60, vector(new Array<number>(5).fill(INTEGER)), 0]]),
    ...section(3, [[0]]),
    ...section(5, [[0, 1]]),
    ...section(7, [
      [named("memory"), 2, 0],
      [named("sum"), 0, 0],
    ]),
    ...section(10, [sized([locals, body])]),
  ]);
}

type Code = number | readonly Code[];

function flat(code: Code): number[] {
  return typeof code === "number" ? [code] : code.flatMap(flat);
}

/** An unsigned integer below 2^14. */
function integer(value: number): number[] {
  return value < 0x80 ? [value] : [(value & 0x7f) | 0x80, value >> 7];
}

function sized(code: Code): number[] {
  const bytes = flat(code);
  return [...integer(bytes.length), ...bytes];
}

function vector(items: readonly Code[]): number[] {
  return [...integer(items.length), ...flat(items)];
}

function section(id: number, items: readonly Code[]): number[] {
  return [id, ...sized(vector(items))];
}

function named(name: string): number[] {
  return vector([...name].map((letter) => letter.charCodeAt(0)));
}
