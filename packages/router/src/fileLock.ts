import { randomUUID } from "node:crypto";
import { linkSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { uptime } from "node:os";
import { RouterError } from "./routerError.js";

interface Owner {
  readonly pid: number;
  /** When the process began: after a restart a process may find its own number in a lock that is stale. */
  readonly start: number;
  /** Different for every lock that was ever taken. */
  readonly token: string;
}

/** Who is in the way: the live owner of a lock, or whoever is removing a dead one's. */
interface Obstacle {
  readonly pid: number;
  readonly removing: boolean;
}

/**
 * When this process began, in milliseconds of the machine's monotonic clock: the same in all its threads, whatever happens to the time of day. What
 * passes between the two calls makes a reading too early; hence the latest of some. Processes of one number differ by the whole life of the first.
 */
const processStart = () => Math.max(...Array.from({ length: 5 }, () => Number(process.hrtime.bigint()) / 1e6 - 1000 * process.uptime()));
const SAME_START = 20;

/** A dead lock is removed in a moment: one that takes longer than so many pauses of so many milliseconds is not waited for. */
const PAUSES = 100;
const PAUSE = 10;

/**
 * Takes a lock that is a file with its owner's process number, and returns what gives it back. The file is written elsewhere and linked into place, so
 * nobody sees it empty, and of many that try only one succeeds. A lock whose owner is dead is removed, but only by whoever holds another lock, named
 * after the dead one's token: so nobody removes, in the belief that it is the dead one's, a lock that somebody else has taken in the meantime.
 */
export function takeLock(path: string): () => void {
  for (let pauses = 0; ; pauses++) {
    const taken = tryLock(path);
    if (typeof taken === "function") return taken;
    if (!taken.removing || pauses === PAUSES) {
      const message = `the lock ${path} is held by process ${taken.pid}; close that router, or give this one another file; if that process is something else, delete the lock`;
      throw new RouterError("ERR_STATE_BUSY", "state.file", path, message);
    }
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, PAUSE);
  }
}

function tryLock(path: string): (() => void) | Obstacle {
  for (;;) {
    if (link(path, { pid: process.pid, start: processStart(), token: randomUUID() })) return () => rmSync(path, { force: true });
    const owner = ownerOf(path);
    if (owner === null) continue;
    if (isAlive(owner)) return { pid: owner.pid, removing: false };
    const release = tryLock(`${path}.${owner.token}`);
    if (typeof release !== "function") return { pid: release.pid, removing: true };
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
  const nobody = { pid: 0, start: 0, token: "unreadable" };
  try {
    const { pid, start, token } = JSON.parse(readFileSync(path, "utf8")) as Owner;
    if (!(Number.isSafeInteger(pid) && pid > 0 && /^[0-9a-f-]{36}$/.test(token))) return nobody;
    return statSync(path).mtimeMs < Date.now() - 1000 * uptime() ? { pid: 0, start, token } : { pid, start, token };
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return null;
    if (error instanceof SyntaxError) return nobody;
    throw error;
  }
}

function isAlive({ pid, start }: Owner): boolean {
  if (pid === 0) return false;
  if (pid === process.pid) return Math.abs(start - processStart()) < SAME_START;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}
