import { access, constants, open, readFile, realpath, rename, rm, stat } from "node:fs/promises";
import { dirname, resolve } from "node:path";
import { type Policy, type PolicySnapshot, restorePolicy } from "tsallis";
import { at, Failure, reason } from "../text/failure.js";
import { parseObject } from "./parseObject.js";

/** The policy that a snapshot file holds. */
export async function readSnapshot(file: string): Promise<Policy> {
  let text: string;
  try {
    text = await readFile(file, "utf8");
  } catch (error) {
    throw new Failure("ERR_FILE", `cannot be read: ${reason(error)}`, file);
  }
  try {
    return restorePolicy(parseObject(text, "give a file that --snapshot wrote"));
  } catch (error) {
    throw at(file, error);
  }
}

/** Where a snapshot will go, checked before the work begins: a new or regular file in a writable directory. Follows a link. */
export async function snapshotTarget(file: string): Promise<string> {
  if (file === "") throw new Failure("ERR_USAGE", "--snapshot is empty; give the name of a file");
  const found = await stat(file).catch(() => undefined);
  if (found && !found.isFile()) throw new Failure("ERR_FILE", "not a regular file; a snapshot replaces the file that it is written to", file);
  const target = found ? await realpath(file) : resolve(file);
  try {
    await access(dirname(target), constants.W_OK);
  } catch (error) {
    throw new Failure("ERR_FILE", `cannot be written: ${reason(error)}`, file);
  }
  return target;
}

/** Writes a snapshot so that, whatever happens meanwhile, the file holds either the whole old one or the whole new one. The file keeps its mode. */
export async function writeSnapshot(target: string, snapshot: PolicySnapshot): Promise<void> {
  const temporary = `${target}.${process.pid}.tmp`;
  try {
    const mode = (await stat(target).catch(() => undefined))?.mode;
    // The file is never more open than the old one, not even while it is written. The umask may restrict it further; chmod undoes that.
    const handle = await open(temporary, "wx", mode);
    try {
      if (mode !== undefined) await handle.chmod(mode);
      await handle.writeFile(`${JSON.stringify(snapshot)}\n`);
      await handle.sync();
    } finally {
      await handle.close();
    }
    await rename(temporary, target);
  } catch (error) {
    await rm(temporary, { force: true });
    throw new Failure("ERR_FILE", `cannot be written: ${reason(error)}`, target, 1);
  }
}
