export type Level = "good" | "warn" | "bad" | "off";

const SHAPES: Readonly<Record<Level, { outline: string; sign: string }>> = {
  good: { outline: "M10 1a9 9 0 1 0 0 18 9 9 0 0 0 0-18z", sign: "M5.8 10.3l2.9 2.9 5.5-6" },
  warn: { outline: "M10 1.2L19.3 18.2H.7z", sign: "M10 7.2v5M10 14.9v.6" },
  bad: { outline: "M6.3 1h7.4L19 6.3v7.4L13.7 19H6.3L1 13.7V6.3z", sign: "M6.7 6.7l6.6 6.6M13.3 6.7l-6.6 6.6" },
  off: { outline: "M10 1a9 9 0 1 0 0 18 9 9 0 0 0 0-18z", sign: "M6 10h8" },
};

/** A sign that differs in shape as well as in colour. The word that says the same stands beside it. */
export function Mark({ level }: { readonly level: Level }) {
  const { outline, sign } = SHAPES[level];
  return (
    <svg class={`mark ${level}`} viewBox="0 0 20 20" aria-hidden="true">
      <path d={outline} fill="currentColor" />
      <path d={sign} fill="none" stroke="var(--paper)" stroke-width="2.2" stroke-linecap="round" stroke-linejoin="round" />
    </svg>
  );
}
