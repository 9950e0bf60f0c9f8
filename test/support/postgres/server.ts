import { execFileSync } from "node:child_process";
import { chownSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { installPostgresql } from "../../../scripts/install/postgresql.mjs";
import { type SelfSigned, selfSigned } from "../http/self-signed.ts";

/** Password of the tests' database, which listens on loopback only and is removed after the tests. */
export const DATABASE_PASSWORD = "correct horse";
const USER = "finality";

export interface PostgresServer {
  readonly port: number;
  /** Certificate of the server, for the name `localhost`. */
  readonly certificate: SelfSigned;
  /** Creates an empty database. @returns the URL of it, without a password */
  createDatabase(): string;
  /** Ends all processes of the server at once, as a crash does, and starts it again: only committed data remains. */
  crash(): void;
  stop(): void;
}

export interface ServerOptions {
  /** False for speed: data is then lost if the machine, not the server, fails. */
  readonly fsync?: boolean;
}

/** Starts a PostgreSQL of the distribution with a temporary data folder, as a user without privileges, on loopback. */
export async function startPostgres({ fsync = true }: ServerOptions = {}): Promise<PostgresServer> {
  const programs = installPostgresql();
  const folder = mkdtempSync(join(tmpdir(), "finality-postgres-"));
  const user = unprivilegedUser();
  const own = (path: string): void => {
    if (user !== undefined) chownSync(path, user.uid, user.gid);
  };
  own(folder);
  const run = (program: string, ...args: readonly string[]): void => {
    execFileSync(join(programs, program), args, { ...user, cwd: folder, stdio: ["ignore", "ignore", "pipe"] });
  };
  const write = (name: string, text: string): void => {
    writeFileSync(join(folder, name), text, { mode: 0o600 });
    own(join(folder, name));
  };
  const data = join(folder, "data");
  write("password", DATABASE_PASSWORD);
  const account = ["-U", USER, `--pwfile=${join(folder, "password")}`, "--auth=scram-sha-256"];
  run("initdb", "-D", data, ...account, "--no-sync", "--encoding=UTF8", "--locale=C.UTF-8");
  const certificate = selfSigned("localhost");
  write("data/server.key", certificate.key);
  write("data/server.crt", certificate.cert);
  const port = await freePort();
  const settings = `-c listen_addresses=127.0.0.1 -c ssl=on -c fsync=${fsync ? "on" : "off"} -c max_connections=60`;
  const start = (): void =>
    run("pg_ctl", "-D", data, "-w", "-l", join(folder, "log"), "-o", `-p ${port} -k ${folder} ${settings}`, "start");
  start();
  // A run that breaks off leaves no server behind.
  const quit = (): void => {
    if (!existsSync(join(data, "postmaster.pid"))) return;
    process.kill(Number(readFileSync(join(data, "postmaster.pid"), "utf8").split("\n")[0]), "SIGQUIT");
  };
  process.once("exit", quit);
  let databases = 0;
  const psql = (sql: string): void => {
    execFileSync(join(programs, "psql"), ["-h", "127.0.0.1", "-p", String(port), "-U", USER, "-c", sql, "postgres"], {
      env: { ...process.env, PGPASSWORD: DATABASE_PASSWORD },
      stdio: ["ignore", "ignore", "pipe"],
    });
  };
  return {
    port,
    certificate,
    createDatabase: () => {
      const name = `store${++databases}`;
      psql(`CREATE DATABASE ${name}`);
      return `postgres://${USER}@127.0.0.1:${port}/${name}`;
    },
    crash: () => {
      run("pg_ctl", "-D", data, "-w", "-m", "immediate", "stop");
      start();
    },
    stop: () => {
      process.off("exit", quit);
      run("pg_ctl", "-D", data, "-w", "-m", "immediate", "stop");
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** PostgreSQL refuses to run as root. */
function unprivilegedUser(): { readonly uid: number; readonly gid: number } | undefined {
  if (process.getuid?.() !== 0) return undefined;
  const idOf = (flag: string): number => Number(execFileSync("id", [flag, "postgres"], { encoding: "utf8" }));
  return { uid: idOf("-u"), gid: idOf("-g") };
}

/** Returns a port of loopback that nothing listens to. */
export function freePort(): Promise<number> {
  const { promise, resolve, reject } = Promise.withResolvers<number>();
  const probe = createServer();
  probe.once("error", reject);
  probe.listen(0, "127.0.0.1", () => {
    const address = probe.address();
    probe.close(() => resolve(typeof address === "object" && address !== null ? address.port : 0));
  });
  return promise;
}
