// A private PostgreSQL cluster for tests and benchmarks: a temporary folder, a free loopback port, the real Debian binaries.
// Run by itself it prints the URL and keeps the cluster until it is interrupted; `--replica-of URL` starts a replica. Never touches any other cluster.

import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { chownSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { Client } from "pg";
import { installPackage } from "./debian.ts";
import { freePort } from "./free-port.ts";

export interface Cluster {
  url: string;
  /** Of all processes that the server has now. */
  pids(): number[];
  /** Ends the server as a crash would; the data stay. */
  crash(): Promise<void>;
  /** Starts it again, on the same data and the same port. */
  resume(): Promise<void>;
  /** Stands still, with all of its processes: connections are taken, and nothing is answered. */
  freeze(): void;
  thaw(): void;
  stop(): Promise<void>;
}

/** One that is not durable never waits for the disk: quicker, and lost at a power cut. `within`: where its folder is made. */
export async function startCluster({ isDurable = true, within = tmpdir() } = {}): Promise<Cluster> {
  const bin = ensureBinaries();
  // PostgreSQL refuses to run as root; the package brings a user of its own.
  const owner = process.getuid?.() === 0 ? { uid: userId("-u"), gid: userId("-g") } : {};
  const folder = mkdtempSync(join(within, "cairn-postgres-"));
  if (owner.uid !== undefined) chownSync(folder, owner.uid, owner.gid);
  const options = { ...owner, cwd: folder };
  execFileSync(
    join(bin, "initdb"),
    ["-D", "data", "-U", "cairn", "--auth=trust", "--encoding=UTF8", "--locale=C", "--no-instructions", "--no-sync"],
    { ...options, stdio: ["ignore", "ignore", "inherit"] },
  );
  const port = await freePort();
  const url = `postgres://cairn@127.0.0.1:${port}/postgres`;

  async function launch(): Promise<ChildProcess> {
    const settings = {
      port,
      listen_addresses: "127.0.0.1",
      unix_socket_directories: "",
      max_connections: 200,
      fsync: isDurable ? "on" : "off",
    };
    const flags = Object.entries(settings).flatMap(([name, value]) => ["-c", `${name}=${value}`]);
    const child = spawn(join(bin, "postgres"), ["-D", "data", ...flags], { ...options, stdio: "ignore" });
    const ended = new Promise<never>((_, failed) =>
      child.once("exit", (code) => failed(new Error(`PostgreSQL ended with code ${code} at its start.`))),
    );
    await Promise.race([answers(url), ended]);
    return child;
  }

  let child = await launch();
  let frozen: number[] = [];
  const thaw = () => {
    for (const pid of frozen.splice(0)) signal(pid, "SIGCONT");
  };
  const abandon = () => {
    thaw();
    child.kill("SIGQUIT");
    rmSync(folder, { recursive: true, force: true });
  };
  process.once("exit", abandon);
  return {
    url,
    pids: () => [child.pid as number, ...childrenOf(child.pid as number)],
    crash: () => end(child, "SIGQUIT"),
    async resume() {
      child = await launch();
    },
    freeze() {
      const pid = child.pid as number;
      // The first one first: it would start others.
      signal(pid, "SIGSTOP");
      frozen = [pid, ...childrenOf(pid)];
      for (const each of frozen) signal(each, "SIGSTOP");
    },
    thaw,
    async stop() {
      process.off("exit", abandon);
      thaw();
      await end(child, "SIGINT");
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

export interface ReplicaServer {
  url: string;
  stop(): Promise<void>;
}

/** A streaming replica of a cluster, on a port of its own. */
export async function startReplica(primary: string): Promise<ReplicaServer> {
  const bin = ensureBinaries();
  const owner = process.getuid?.() === 0 ? { uid: userId("-u"), gid: userId("-g") } : {};
  const folder = mkdtempSync(join(tmpdir(), "cairn-replica-"));
  if (owner.uid !== undefined) chownSync(folder, owner.uid, owner.gid);
  const options = { ...owner, cwd: folder };
  const { port: from } = new URL(primary);
  const backup = ["-h", "127.0.0.1", "-p", from, "-U", "cairn", "-D", "data", "-R", "-c", "fast", "--no-sync"];
  execFileSync(join(bin, "pg_basebackup"), backup, { ...options, stdio: ["ignore", "ignore", "inherit"] });
  const port = await freePort();
  const settings = { port, listen_addresses: "127.0.0.1", unix_socket_directories: "", fsync: "off" };
  // As many connections as the primary allows: a replica with fewer does not start.
  const flags = Object.entries({ ...settings, max_connections: 200 }).flatMap(([name, value]) => [
    ...["-c", `${name}=${value}`],
  ]);
  const child = spawn(join(bin, "postgres"), ["-D", "data", ...flags], { ...options, stdio: "ignore" });
  const abandon = () => {
    child.kill("SIGQUIT");
    rmSync(folder, { recursive: true, force: true });
  };
  process.once("exit", abandon);
  const url = `postgres://cairn@127.0.0.1:${port}/postgres`;
  await answers(url);
  return {
    url,
    async stop() {
      process.off("exit", abandon);
      await end(child, "SIGINT");
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

function findBinaries(): string | undefined {
  const base = "/usr/lib/postgresql";
  try {
    const versions = readdirSync(base).sort((a, b) => Number(b) - Number(a));
    return versions[0] && join(base, versions[0], "bin");
  } catch {
    return undefined;
  }
}

/** Installed when they are missing. */
export function ensureBinaries(): string {
  const there = findBinaries();
  if (there) return there;
  installPackage("postgresql");
  const found = findBinaries();
  if (!found) throw new Error("The package postgresql brought no server binaries.");
  return found;
}

/** A process that has ended meanwhile needs none. */
export function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ESRCH") throw error;
  }
}

export function childrenOf(parent: number): number[] {
  const pids = readdirSync("/proc").filter((name) => /^\d+$/.test(name));
  return pids.map(Number).filter((pid) => {
    try {
      // The name of the program stands in brackets, and may hold anything.
      return (
        Number(
          readFileSync(`/proc/${pid}/stat`, "utf8")
            .replace(/^.*\) /s, "")
            .split(" ")[1],
        ) === parent
      );
    } catch {
      return false;
    }
  });
}

export function userId(flag: "-u" | "-g"): number {
  return Number(execFileSync("id", [flag, "postgres"], { encoding: "utf8" }));
}

export async function answers(url: string): Promise<void> {
  for (const deadline = Date.now() + 30_000; ; await sleep(50)) {
    const client = new Client({ connectionString: url });
    try {
      await client.connect();
      await client.end();
      return;
    } catch (error) {
      if (Date.now() > deadline) throw error;
    }
  }
}

function end(child: ChildProcess, signal: "SIGINT" | "SIGQUIT"): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return Promise.resolve();
  return new Promise((done) => {
    child.removeAllListeners("exit");
    child.once("exit", () => done());
    child.kill(signal);
  });
}

if (import.meta.main) {
  const [option, primary = ""] = process.argv.slice(2);
  const cluster = option === "--replica-of" ? await startReplica(primary) : await startCluster();
  console.log(cluster.url);
  const keepAlive = setInterval(() => {}, 60_000);
  for (const signal of ["SIGINT", "SIGTERM"] as const) {
    process.once(signal, () => {
      clearInterval(keepAlive);
      void cluster.stop();
    });
  }
}
