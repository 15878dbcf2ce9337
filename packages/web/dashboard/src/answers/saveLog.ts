import { send } from "./ask.js";

/** Fetches a bandit's log with the key of this tab, and hands it to the browser as a file. A link could not carry the key. */
export async function saveLog(name: string): Promise<void> {
  const response = await send(logAddress(name));
  const address = URL.createObjectURL(await response.blob());
  const link = document.createElement("a");
  link.href = address;
  link.download = `${name}.ndjson`;
  link.click();
  setTimeout(() => URL.revokeObjectURL(address), 60_000);
}

export function logAddress(name: string): string {
  return `v1/bandits/${encodeURIComponent(name)}/log`;
}
