const TOLERANCE_MS = 3_000;
let difference = 0;

/** Learns the service's time from an answer's Date header, which has whole seconds: small differences are not believed. */
export function setServerTime(date: string | null): void {
  const found = date === null ? Number.NaN : Date.parse(date) - Date.now();
  if (Number.isFinite(found)) difference = Math.abs(found) < TOLERANCE_MS ? 0 : found;
}

/** Now, by the service's clock: its times would look wrong on a machine whose clock is off. */
export function serverNow(): number {
  return Date.now() + difference;
}
