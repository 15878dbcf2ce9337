import { randomUUID } from "node:crypto";
import { linkSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { uptime } from "node:os";
import { RouterError } from "../routerError.js";

interface Owner {
  readonly pid: number;
  /** When the process began. Process numbers are reused, so after a restart a process may find its own number in a stale lock. */
  readonly start: number;
  /** Unique to each lock that was ever taken. */
  readonly token: string;
}

/** The process in the way: the live owner of the lock, or the process that is removing a dead owner's lock. */
interface Obstacle {
  readonly pid: number;
  readonly removing: boolean;
}

/**
 * When this process began, in milliseconds of the machine's monotonic clock. All its threads get the same value, and changes of the wall clock do not
 * matter. Time that passes between the two calls makes a reading too early, so the latest of five counts. Two processes with the same number differ
 * by at least the lifetime of the first, so starts within SAME_START_MS belong to one process.
 */
const processStartMs = () =>
  Math.max(
    ...Array(5)
      .fill(0)
      .map(() => Number(process.hrtime.bigint()) / 1e6 - 1000 * process.uptime()),
  );
const SAME_START_MS = 20;

/** Removing a dead lock takes a moment. If another process takes longer than PAUSES pauses of PAUSE_MS, the lock is reported as held. */
const PAUSES = 100;
const PAUSE_MS = 10;

/**
 * Takes a lock and returns a function that releases it. The lock is a file with its owner's process number. It is written elsewhere and linked into
 * place, so nobody ever sees it empty, and only one of several competitors succeeds. A lock whose owner is dead is removed, but only by the holder of
 * another lock, which is named after the dead owner's token. So nobody can remove a fresh lock that was taken in the meantime, mistaking it for the
 * dead one.
 */
export function takeLock(path: string): () => void {
  for (let pauses = 0; ; pauses++) {
    const taken = tryLock(path);
    if (typeof taken === "function") return taken;
    if (!taken.removing || pauses === PAUSES) {
      const message = `the lock ${path} is held by process ${taken.pid}; close that router, or give this one another file; if that process is not a router, delete the lock`;
      throw new RouterError("ERR_STATE_BUSY", "state.file", path, message);
    }
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, PAUSE_MS);
  }
}

function tryLock(path: string): (() => void) | Obstacle {
  for (;;) {
    if (link(path, { pid: process.pid, start: processStartMs(), token: randomUUID() })) return () => rmSync(path, { force: true });
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

/** Returns whether the lock file could be linked into place. */
function link(path: string, owner: Owner): boolean {
  const prepared = `${path}.${owner.token}.new`;
  try {
    writeFileSync(prepared, JSON.stringify(owner), { flag: "wx" });
    linkSync(prepared, path);
    return true;
  } catch (error) {
    const { code = "" } = error as NodeJS.ErrnoException;
    if (code === "EEXIST") return false;
    if (NO_LINKS.has(code)) return create(path, owner);
    throw error;
  } finally {
    // A disk that is full has made it, and written nothing.
    rmSync(prepared, { force: true });
  }
}

/** The errors of file systems without hard links, such as exFAT and some network shares. */
const NO_LINKS = new Set(["EPERM", "ENOTSUP", "EOPNOTSUPP", "ENOSYS", "EINVAL", "EISDIR"]);

/** Creates the lock file itself, where nothing can be linked. Others may see it empty for a moment, which is why a young empty lock is looked at again. */
function create(path: string, owner: Owner): boolean {
  try {
    writeFileSync(path, JSON.stringify(owner), { flag: "wx" });
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EEXIST") return false;
    throw error;
  }
}

/** An empty lock that is younger than this is being written. */
const WRITING_MS = 1000;

/**
 * The owner of a lock; null if it has been released. A file that this package has not written, or that is older than the machine's last start, has no
 * live owner.
 */
function ownerOf(path: string): Owner | null {
  const nobody = { pid: 0, start: 0, token: "unreadable" };
  try {
    const text = readFileSync(path, "utf8");
    if (text === "" && Math.abs(Date.now() - statSync(path).mtimeMs) < WRITING_MS) return null;
    const { pid, start, token } = (JSON.parse(text) ?? nobody) as Owner;
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
  if (pid === process.pid) return Math.abs(start - processStartMs()) < SAME_START_MS;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}
