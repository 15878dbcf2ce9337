// Colour measures for the palette's test. WCAG 2.2 relative luminance and contrast; CIE 1976 L*a*b* under D65; dichromacy by
// Machado, Oliveira and Fernandes, "A physiologically-based model for simulation of color vision deficiency" (IEEE TVCG 15, 2009), severity 1.

type Triple = readonly [number, number, number];

/** Normal sight, protanopia, deuteranopia, tritanopia. */
export const SIGHTS: readonly (readonly Triple[])[] = [
  [
    [1, 0, 0],
    [0, 1, 0],
    [0, 0, 1],
  ],
  [
    [0.152286, 1.052583, -0.204868],
    [0.114503, 0.786281, 0.099216],
    [-0.003882, -0.048116, 1.051998],
  ],
  [
    [0.367322, 0.860646, -0.227968],
    [0.280085, 0.672501, 0.047413],
    [-0.01182, 0.04294, 0.968881],
  ],
  [
    [1.255528, -0.076749, -0.178779],
    [-0.078411, 0.930809, 0.147602],
    [0.004733, 0.691367, 0.3039],
  ],
];

function linear(colour: string): Triple {
  const channel = (at: number) => {
    const value = Number.parseInt(colour.slice(at, at + 2), 16) / 255;
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
  };
  return [channel(1), channel(3), channel(5)];
}

function times(row: Triple, [r, g, b]: Triple): number {
  return row[0] * r + row[1] * g + row[2] * b;
}

export function contrast(a: string, b: string): number {
  const luminance = (colour: string) => times([0.2126, 0.7152, 0.0722], linear(colour));
  const [low, high] = [luminance(a), luminance(b)].sort((x, y) => x - y);
  return (high! + 0.05) / (low! + 0.05);
}

/** The distance in CIELAB as somebody with the given sight sees it. */
export function difference(a: string, b: string, sight: readonly Triple[]): number {
  const [p, q] = [a, b].map((colour) => lab(sight.map((row) => Math.min(1, Math.max(0, times(row, linear(colour))))) as unknown as Triple));
  return Math.hypot(p![0] - q![0], p![1] - q![1], p![2] - q![2]);
}

function lab(rgb: Triple): Triple {
  const f = (t: number) => (t > 0.008856 ? Math.cbrt(t) : 7.787 * t + 16 / 116);
  const x = f(times([0.4124, 0.3576, 0.1805], rgb) / 0.95047);
  const y = f(times([0.2126, 0.7152, 0.0722], rgb));
  const z = f(times([0.0193, 0.1192, 0.9505], rgb) / 1.08883);
  return [116 * y - 16, 500 * (x - y), 200 * (y - z)];
}
