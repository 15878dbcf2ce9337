import { randomUUID } from "node:crypto";
import { linkSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { uptime } from "node:os";
import { RouterError } from "./routerError.js";

interface Owner {
  readonly pid: number;
  /** Different for every lock that was ever taken. */
  readonly token: string;
}

/** The tokens of locks that this process holds: after a restart a process may find its own number in a lock that is stale. */
const held = new Set<string>();

/**
 * Takes a lock that is a file with its owner's process number, and returns what gives it back. The file is written elsewhere and linked into place, so
 * nobody sees it empty, and of many that try only one succeeds. A lock whose owner is dead is removed, but only by whoever holds another lock, named
 * after the dead one's token: so nobody removes, in the belief that it is the dead one's, a lock that somebody else has taken in the meantime.
 */
export function takeLock(path: string): () => void {
  for (;;) {
    const token = randomUUID();
    if (link(path, { pid: process.pid, token })) {
      held.add(token);
      return () => {
        held.delete(token);
        rmSync(path, { force: true });
      };
    }
    const owner = ownerOf(path);
    if (owner === null) continue;
    if (isAlive(owner)) {
      const message = `the lock ${path} is held by process ${owner.pid}; close that router, or give this one another file; if that process is something else, delete the lock`;
      throw new RouterError("ERR_STATE_BUSY", "state.file", path, message);
    }
    const release = takeLock(`${path}.${owner.token}`);
    try {
      if (ownerOf(path)?.token === owner.token) rmSync(path);
    } finally {
      release();
    }
  }
}

/** Whether the file could be put there. */
function link(path: string, owner: Owner): boolean {
  const prepared = `${path}.${owner.token}.new`;
  writeFileSync(prepared, JSON.stringify(owner), { flag: "wx" });
  try {
    linkSync(prepared, path);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EEXIST") return false;
    throw error;
  } finally {
    rmSync(prepared);
  }
}

/** Who holds a lock; null if it has been given back. What this package has not written, or what is older than the machine's last start, is nobody's. */
function ownerOf(path: string): Owner | null {
  const nobody = { pid: 0, token: "unreadable" };
  try {
    const { pid, token } = JSON.parse(readFileSync(path, "utf8")) as Owner;
    if (!(Number.isSafeInteger(pid) && pid > 0 && /^[0-9a-f-]{36}$/.test(token))) return nobody;
    return statSync(path).mtimeMs < Date.now() - 1000 * uptime() ? { pid: 0, token } : { pid, token };
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return null;
    if (error instanceof SyntaxError) return nobody;
    throw error;
  }
}

function isAlive({ pid, token }: Owner): boolean {
  if (pid === 0) return false;
  if (pid === process.pid) return held.has(token);
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}
