import { spawnSync } from "node:child_process";
import { chownSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { postgresFolder } from "../scripts/parts.mjs";
import { freePort, ServerProcess } from "./serverProcess.js";

export interface PostgresServer {
  /** The URL of its database `postgres`, as a user who may create others. */
  readonly url: string;
  readonly pid: number;
  /** Ends the server at once, as a crash would, and keeps its folder. */
  halt(): Promise<void>;
  /** Starts it again after `halt`, on the same port. */
  resume(): Promise<void>;
  /** Ends the server and removes its folder. */
  stop(): Promise<void>;
}

/**
 * Starts a real PostgreSQL for this test alone (a new cluster takes some seconds), on a free loopback port, in a temporary folder. `stop` it in an
 * afterAll. It flushes to the disk only if `fsync` is true; without it, it is not for tests that lose the machine under the server.
 */
export async function startPostgres({
  password,
  fsync = false,
}: {
  readonly password?: string;
  readonly fsync?: boolean;
} = {}): Promise<PostgresServer> {
  const programs = postgresFolder();
  if (programs === undefined) throw new Error("PostgreSQL is missing: run `npm test`, which installs it or says how");
  const folder = mkdtempSync(join(tmpdir(), "tsallis-postgres-"));
  const remove = () => rmSync(folder, { recursive: true, force: true });
  try {
    const user = unprivileged();
    const data = join(folder, "data");
    const secret = join(folder, "password");
    if (password !== undefined) writeFileSync(secret, password);
    if (user !== undefined) for (const path of password === undefined ? [folder] : [folder, secret]) chownSync(path, user.uid, user.gid);
    const access = password === undefined ? ["--auth=trust"] : ["--auth=scram-sha-256", `--pwfile=${secret}`];
    const args = ["-D", data, "-U", "postgres", "-E", "UTF8", "--no-locale", "--no-sync", ...access];
    const { status, error, stderr } = spawnSync(join(programs, "initdb"), args, { cwd: folder, encoding: "utf8", ...user });
    if (status !== 0) throw new Error(`initdb failed: ${error?.message ?? stderr}`);

    const port = await freePort();
    const settings = [
      `port=${port}`,
      "listen_addresses=127.0.0.1",
      "unix_socket_directories=",
      `fsync=${fsync ? "on" : "off"}`,
      "shared_buffers=16MB",
    ];
    const command = {
      program: join(programs, "postgres"),
      args: ["-D", data, ...settings.flatMap((setting) => ["-c", setting])],
      folder,
      ready: /ready to accept connections/,
      ...(user === undefined ? {} : { user }),
    };
    // On SIGQUIT the children end too, whatever they are doing.
    const start = () => ServerProcess.start(command, "SIGQUIT");
    let server = await start();
    const halt = () => server.end("SIGQUIT");
    const resume = async () => {
      server = await start();
    };
    const stop = async () => {
      await halt();
      remove();
    };
    const who = password === undefined ? "postgres" : `postgres:${encodeURIComponent(password)}`;
    const url = `postgres://${who}@127.0.0.1:${port}/postgres`;
    return {
      url,
      get pid() {
        return server.pid;
      },
      halt,
      resume,
      stop,
    };
  } catch (error) {
    remove();
    throw error;
  }
}

/** PostgreSQL refuses to run as root, so root uses the user that Debian made for it, or nobody. */
function unprivileged(): { uid: number; gid: number } | undefined {
  if (process.getuid?.() !== 0) return undefined;
  const users = readFileSync("/etc/passwd", "utf8")
    .split("\n")
    .map((line) => line.split(":"));
  const found = ["postgres", "nobody"].map((name) => users.find(([its]) => its === name)).find((user) => user !== undefined);
  if (found === undefined) throw new Error("PostgreSQL refuses to run as root, and there is neither a user postgres nor nobody to run it as");
  return { uid: Number(found[2]), gid: Number(found[3]) };
}
