interface Props {
  readonly evidence: number;
  readonly needed: number;
}

/** How far evidence is on its way to the line that ends the race. */
export function EvidenceBar({ evidence, needed }: Props) {
  const part = Math.min(1, Math.max(0, evidence / needed));
  return (
    <svg class={part === 1 ? "evidence full" : "evidence"} viewBox="0 0 100 10" preserveAspectRatio="none" aria-hidden="true">
      <rect class="track" width="96" height="10" />
      <rect class="so-far" width={96 * part} height="10" />
      <rect class="line" x="96" width="2" height="10" />
    </svg>
  );
}
