import { MOST_ARMS } from "../schemas.js";

/** Many numbers as text, to the last bit: digits take ten times as long to write, and most arms of thousands have the same numbers. */
interface PackedNumbers {
  readonly length: number;
  /** What most of them are. */
  readonly most: number;
  /** The others, as places of 32 bits and numbers of 64, in base64; the lowest byte first. */
  readonly places: string;
  readonly others: string;
}

/** Fewer are not packed. */
const FEWEST = 64;

/** A list of many finite numbers, packed; anything else as it is. */
export function packNumbers(value: unknown): unknown {
  if (!Array.isArray(value) || value.length < FEWEST || !value.every(Number.isFinite)) return value;
  const numbers = value as readonly number[];
  const most = majority(numbers);
  const places: number[] = [];
  for (let i = 0; i < numbers.length; i++) if (!Object.is(numbers[i], most)) places.push(i);
  const [at, others] = [new DataView(new ArrayBuffer(4 * places.length)), new DataView(new ArrayBuffer(8 * places.length))];
  for (let i = 0; i < places.length; i++) {
    at.setUint32(4 * i, places[i]!, true);
    others.setFloat64(8 * i, numbers[places[i]!]!, true);
  }
  return { length: numbers.length, most, places: textOf(at), others: textOf(others) } satisfies PackedNumbers;
}

/** What was packed; anything else as it is, for the policy to refuse. */
export function unpackNumbers(value: unknown): unknown {
  if (!isPacked(value)) return value;
  const numbers = new Array<number>(value.length).fill(value.most);
  const [at, others] = [viewOf(value.places), viewOf(value.others)];
  for (let i = 0; 8 * i < others.byteLength; i++) numbers[at.getUint32(4 * i, true)] = others.getFloat64(8 * i, true);
  return numbers;
}

/** What more than half of the numbers are, if there is such a one (Boyer and Moore's vote); otherwise one of them. */
function majority(numbers: readonly number[]): number {
  let [candidate, votes] = [0, 0];
  for (const number of numbers) {
    if (votes === 0) candidate = number;
    votes += Object.is(number, candidate) ? 1 : -1;
  }
  // JSON has no -0.
  return candidate + 0;
}

function isPacked(value: unknown): value is PackedNumbers {
  if (typeof value !== "object" || value === null) return false;
  const { length, most, places, others } = value as Partial<PackedNumbers>;
  if (typeof length !== "number" || typeof most !== "number" || typeof places !== "string" || typeof others !== "string") return false;
  return Number.isInteger(length) && length >= 0 && length <= MOST_ARMS && viewOf(places).byteLength * 2 === viewOf(others).byteLength;
}

function textOf({ buffer }: DataView<ArrayBuffer>): string {
  return Buffer.from(buffer).toString("base64");
}

function viewOf(text: string): DataView {
  const { buffer, byteOffset, byteLength } = Buffer.from(text, "base64");
  return new DataView(buffer, byteOffset, byteLength);
}
