/** Exact arithmetic on doubles as rationals over 2^2148, in big integers: slow, and right. */
type Exact = bigint;

const SCALE = 2148n;
const words = new BigInt64Array(1);
const float = new Float64Array(words.buffer);

/** A double as mantissa * 2^exponent. */
function parts(x: number): [mantissa: bigint, exponent: bigint] {
  float[0] = x;
  const exponent = (words[0]! >> 52n) & 0x7ffn;
  const fraction = words[0]! & 0xfffffffffffffn;
  const mantissa = exponent === 0n ? fraction : fraction + (1n << 52n);
  return [x < 0 ? -mantissa : mantissa, (exponent === 0n ? 1n : exponent) - 1075n];
}

function of(x: number): Exact {
  const [mantissa, exponent] = parts(x);
  return mantissa << (exponent + SCALE);
}

function product(a: number, b: number): Exact {
  const [am, ae] = parts(a);
  const [bm, be] = parts(b);
  return (am * bm) << (ae + be + SCALE);
}

const total = (values: readonly Exact[]): Exact => values.reduce((sum, value) => sum + value, 0n);

/** The double nearest to value / (divisor 2^2148), ties to even. */
function rounded(value: Exact, divisor = 1n): number {
  const negative = value < 0n;
  const size = negative ? -value : value;
  if (size === 0n) return 0;
  // So many bits below the point that the quotient has 53 or more; what is lost only matters as not being zero.
  const bits = BigInt(size.toString(2).length - divisor.toString(2).length);
  let shift = bits - 56n;
  const least = SCALE - 1074n - 3n;
  if (shift < least) shift = least;
  let quotient = shift >= 0n ? size / (divisor << shift) : (size << -shift) / divisor;
  const rest = shift >= 0n ? size - quotient * (divisor << shift) : (size << -shift) - quotient * divisor;
  // Down to 53 bits, or to the smallest double, in one rounding.
  let drop = BigInt(quotient.toString(2).length) - 53n;
  if (shift + drop < SCALE - 1074n) drop = SCALE - 1074n - shift;
  const half = 1n << (drop - 1n);
  const below = quotient & ((1n << drop) - 1n);
  quotient >>= drop;
  if (below > half || (below === half && (rest > 0n || (quotient & 1n) === 1n))) quotient += 1n;
  const exponent = Number(shift + drop - SCALE);
  // In two steps where 2^exponent itself would vanish.
  const result = exponent < -1022 ? Number(quotient) * 2 ** -1022 * 2 ** (exponent + 1022) : Number(quotient) * 2 ** exponent;
  return negative ? -result : result;
}

export const exactly = {
  total,
  product,
  rounded,
  sum: (values: readonly number[]): Exact => total(values.map(of)),
  quotient: (value: Exact, divisor: number): number => rounded(value, BigInt(divisor)),
  /** (a - b)^2. */
  squareOfDifference: (a: number, b: number): Exact => product(a, a) - 2n * product(a, b) + product(b, b),
};
