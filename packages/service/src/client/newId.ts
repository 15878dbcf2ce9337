/** A UUID of version 7, whose beginning is the time. Browsers have crypto.randomUUID on encrypted pages only, and this everywhere. */
export function newId(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(10));
  bytes[0] = (bytes[0]! & 0x0f) | 0x70;
  bytes[2] = (bytes[2]! & 0x3f) | 0x80;
  const text = Date.now().toString(16).padStart(12, "0") + Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
  return text.replace(/^(.{8})(.{4})(.{4})(.{4})/, "$1-$2-$3-$4-");
}
