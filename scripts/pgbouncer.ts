// PgBouncer in transaction mode in front of a cluster, for tests: the real Debian package, a temporary folder, a free loopback port.
// Run by itself it prints its address and stays until it is interrupted: `pgbouncer.ts URL`.
// It has few connections to the server, so that every transaction is likely to get another one than the last.

import { spawn } from "node:child_process";
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ensureCommand } from "./debian.ts";
import { freePort } from "./free-port.ts";
import { answers } from "./postgres.ts";

export interface Bouncer {
  /** The address of a database behind it. */
  url(direct: string): string;
  /** Ends it as a crash would: all connections of clients are cut. */
  crash(): Promise<void>;
  resume(): Promise<void>;
  stop(): Promise<void>;
}

export interface BouncerOptions {
  /** Connections to the server. */
  size?: number;
  /** Further lines of its file. */
  more?: readonly string[];
}

/** In front of the server that a URL leads to, for all its databases. */
export async function startBouncer(server: string, { size = 4, more = [] }: BouncerOptions = {}): Promise<Bouncer> {
  ensureCommand("pgbouncer");
  const folder = mkdtempSync(join(tmpdir(), "cairn-pgbouncer-"));
  // It refuses to run as root, and then needs to read its file.
  chmodSync(folder, 0o755);
  const port = await freePort();
  const { hostname, port: serverPort, username } = new URL(server);
  const file = join(folder, "pgbouncer.ini");
  const lines = [
    "[databases]",
    `* = host=${hostname} port=${serverPort} user=${username}`,
    "[pgbouncer]",
    "listen_addr = 127.0.0.1",
    `listen_port = ${port}`,
    "unix_socket_dir =",
    "auth_type = any",
    "pool_mode = transaction",
    `default_pool_size = ${size}`,
    "max_client_conn = 1000",
    // The next transaction gets the connection that has rested longest.
    "server_round_robin = 1",
    ...more,
  ];
  writeFileSync(file, `${lines.join("\n")}\n`);
  const user = process.getuid?.() === 0 ? ["-u", "nobody"] : [];
  const url = (direct: string): string => {
    const address = new URL(direct);
    address.port = String(port);
    return address.href;
  };

  async function launch() {
    const child = spawn("pgbouncer", ["-q", ...user, file], { stdio: "ignore" });
    const ended = new Promise<never>((_, failed) =>
      child.once("exit", (code) => failed(new Error(`PgBouncer ended with code ${code} at its start.`))),
    );
    await Promise.race([answers(url(server)), ended]);
    return child;
  }

  let child = await launch();
  const end = (signal: "SIGKILL" | "SIGTERM") =>
    new Promise<void>((done) => {
      child.removeAllListeners("exit");
      child.once("exit", () => done());
      child.kill(signal);
    });
  const abandon = () => {
    child.kill("SIGKILL");
    rmSync(folder, { recursive: true, force: true });
  };
  process.once("exit", abandon);
  return {
    url,
    crash: () => end("SIGKILL"),
    async resume() {
      child = await launch();
    },
    async stop() {
      process.off("exit", abandon);
      await end("SIGTERM");
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

if (import.meta.main) {
  const server = process.argv[2] ?? "";
  const bouncer = await startBouncer(server);
  console.log(bouncer.url(server));
  const keepAlive = setInterval(() => {}, 60_000);
  process.once("SIGTERM", () => {
    clearInterval(keepAlive);
    void bouncer.stop();
  });
}
