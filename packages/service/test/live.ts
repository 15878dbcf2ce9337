import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { addKey, createService, type NewKey, openStore, type ServiceEvent, type ServiceOptions } from "@tsallis/service";

/** A real service on a free port of this machine, on an SQLite file of its own. */
export interface Live {
  /** Without a slash at its end. */
  readonly url: string;
  readonly port: number;
  readonly file: string;
  /** All that it has told. */
  readonly events: readonly ServiceEvent[];
  readonly keys: readonly { readonly id: string; readonly key: string }[];
  /** Ends it and, unless told to keep it, removes its file. */
  close(how?: { readonly keep?: boolean }): Promise<void>;
  remove(): void;
}

export async function live(options: Partial<ServiceOptions> = {}, newKeys: readonly NewKey[] = []): Promise<Live> {
  const folder = mkdtempSync(join(tmpdir(), "tsallis-service-"));
  const file = join(folder, "bandits.db");
  const keys: { id: string; key: string }[] = [];
  if (newKeys.length > 0) {
    const store = await openStore(file);
    for (const key of newKeys) keys.push(await addKey(store, key));
    await store.close();
  }
  const events: ServiceEvent[] = [];
  const service = createService({ store: file, port: 0, onEvent: (event) => events.push(event), ...options });
  const remove = () => rmSync(folder, { recursive: true, force: true });
  const listening = service.listen();
  // A store that cannot be opened leaves nothing behind.
  listening.catch(remove);
  const url = (await listening).replace(/\/$/, "");
  const close = async ({ keep = false } = {}) => {
    await service.close();
    if (!keep) remove();
  };
  return { url, port: Number(new URL(url).port), file, events, keys, close, remove };
}
