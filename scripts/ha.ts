// A database that survives its primary, for `npm run test:ha`: etcd, two Patroni nodes with synchronous replication, HAProxy that leads to
// the primary, and PgBouncer in transaction mode before it. Real Debian packages, loopback, one temporary folder.

import { type ChildProcess, spawn } from "node:child_process";
import { chmodSync, chownSync, mkdirSync, mkdtempSync, openSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { ensureCommand } from "./debian.ts";
import { freePort } from "./free-port.ts";
import { type Bouncer, startBouncer } from "./pgbouncer.ts";
import { answers, childrenOf, findBinaries, signal, userId } from "./postgres.ts";

interface Member {
  name: string;
  restPort: number;
  port: number;
  folder: string;
  patroni: ChildProcess;
}

export interface HighlyAvailable {
  /** Of the pool, and of HAProxy. */
  pooled: string;
  direct: string;
  /** Asks Patroni to give the other one the lead. */
  switchOver(): Promise<void>;
  /** Ends the primary with all its processes, and starts it again when the other one leads. */
  killPrimary(): Promise<void>;
  /** The primary stands still until the other one leads. */
  freezePrimary(): Promise<void>;
  stop(): Promise<void>;
}

const user = "cairn";

export async function startHighlyAvailable(log: (line: string) => void = () => {}): Promise<HighlyAvailable> {
  ensureCommand("etcd", "etcd-server");
  ensureCommand("patroni");
  ensureCommand("haproxy");
  const bin = findBinaries();
  if (!bin) throw new Error("The package postgresql brought no server binaries.");
  const owner = process.getuid?.() === 0 ? { uid: userId("-u"), gid: userId("-g") } : {};
  const folder = mkdtempSync(join(tmpdir(), "cairn-ha-"));
  chmodSync(folder, 0o755);
  const children = new Set<ChildProcess>();
  const start = (command: string, args: string[], more: object = {}): ChildProcess => {
    const out = openSync(join(folder, `${command}.log`), "a");
    const child = spawn(command, args, { stdio: ["ignore", out, out], cwd: folder, ...more });
    children.add(child);
    child.once("exit", () => children.delete(child));
    return child;
  };

  const [etcdPort, peerPort, proxyPort] = [await freePort(), await freePort(), await freePort()];
  const etcdUrl = `http://127.0.0.1:${etcdPort}`;
  const peerUrl = `http://127.0.0.1:${peerPort}`;
  start("etcd", [
    ...["--name", "e", "--data-dir", join(folder, "etcd"), "--initial-cluster", `e=${peerUrl}`],
    ...["--listen-client-urls", etcdUrl, "--advertise-client-urls", etcdUrl],
    ...["--listen-peer-urls", peerUrl, "--initial-advertise-peer-urls", peerUrl],
  ]);

  const members: Member[] = [];
  let frozen: number[] = [];
  const processesOf = (member: Member): number[] => {
    const own = member.patroni.pid as number;
    try {
      const file = readFileSync(join(member.folder, "data", "postmaster.pid"), "utf8");
      const postmaster = Number(file.split("\n")[0]);
      return [own, postmaster, ...childrenOf(postmaster)];
    } catch {
      return [own];
    }
  };
  const abandon = () => {
    for (const pid of [...frozen, ...members.flatMap(processesOf)]) signal(pid, "SIGKILL");
    for (const child of children) child.kill("SIGKILL");
    rmSync(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });
  };
  process.once("exit", abandon);
  const startPatroni = (name: string) => start("patroni", [join(folder, `${name}.json`)], owner);
  for (const name of ["n1", "n2"]) {
    const own = join(folder, name);
    mkdirSync(own);
    if (owner.uid !== undefined) chownSync(own, owner.uid, owner.gid);
    const [port, restPort] = [await freePort(), await freePort()];
    const rest = `127.0.0.1:${restPort}`;
    const trust = (what: string) => `host ${what} all 127.0.0.1/32 trust`;
    const config = {
      scope: "cairn",
      name,
      restapi: { listen: rest, connect_address: rest },
      etcd3: { host: `127.0.0.1:${etcdPort}` },
      bootstrap: {
        dcs: {
          ...{ ttl: 20, loop_wait: 5, retry_timeout: 5, synchronous_mode: true },
          postgresql: { use_pg_rewind: true, parameters: { max_connections: 100, wal_keep_size: "256MB" } },
        },
        initdb: [{ encoding: "UTF8" }, { locale: "C" }],
      },
      postgresql: {
        ...{ listen: `127.0.0.1:${port}`, connect_address: `127.0.0.1:${port}` },
        ...{ data_dir: join(own, "data"), bin_dir: bin, pgpass: join(own, "pgpass") },
        authentication: { superuser: { username: user }, replication: { username: "replicator" } },
        parameters: { unix_socket_directories: own },
        pg_hba: [trust("all"), trust("replication"), "local all all trust"],
      },
    };
    writeFileSync(join(folder, `${name}.json`), JSON.stringify(config));
    members.push({ name, port, restPort, folder: own, patroni: startPatroni(name) });
  }
  const servers = members.map(
    ({ name, port, restPort }) => `  server ${name} 127.0.0.1:${port} check port ${restPort}`,
  );
  writeFileSync(
    join(folder, "haproxy.cfg"),
    `global
  maxconn 1000
defaults
  mode tcp
  timeout connect 2s
  timeout client 1h
  timeout server 1h
listen primary
  bind 127.0.0.1:${proxyPort}
  option httpchk OPTIONS /primary
  http-check expect status 200
  default-server inter 1s fall 2 rise 1 on-marked-down shutdown-sessions
${servers.join("\n")}
`,
  );
  start("haproxy", ["-f", join(folder, "haproxy.cfg")]);
  const direct = `postgres://${user}@127.0.0.1:${proxyPort}/postgres`;
  const isWell = async () =>
    (await readMembers(members)).filter(({ state }) => state === "running" || state === "streaming").length === 2;
  await until(async () => (await findLeader(members)) !== undefined && (await hasStandby(members)), 180_000);
  await until(isWell, 180_000);
  await answers(direct);
  const bouncer: Bouncer = await startBouncer(direct, {
    size: 20,
    more: ["query_wait_timeout = 5", "server_login_retry = 1"],
  });

  /** Resolves when another one leads; `between` then undoes what was done to the old one. */
  async function lose(what: string, act: (old: Member) => void, between: (old: Member) => void): Promise<void> {
    const old = await leaderOf(members);
    const began = performance.now();
    act(old);
    const others = members.filter((member) => member !== old);
    await until(async () => (await findLeader(others)) !== undefined, 180_000);
    log(`${what}: ${old.name} lost the lead after ${Math.round(performance.now() - began)} ms`);
    between(old);
    await until(async () => (await hasStandby(members)) && (await findLeader(members))?.name !== old.name, 240_000);
  }
  return {
    direct,
    pooled: bouncer.url(direct),
    async switchOver() {
      const leader = await leaderOf(members);
      const began = performance.now();
      await fetch(`http://127.0.0.1:${leader.restPort}/switchover`, {
        method: "POST",
        body: JSON.stringify({ leader: leader.name }),
      });
      await until(async () => {
        const now = await findLeader(members);
        return now !== undefined && now.name !== leader.name && (await hasStandby(members));
      }, 180_000);
      log(`switchover: whole again after ${Math.round(performance.now() - began)} ms`);
    },
    killPrimary: () =>
      lose(
        "kill",
        (old) => {
          for (const pid of processesOf(old)) signal(pid, "SIGKILL");
        },
        (old) => {
          old.patroni = startPatroni(old.name);
        },
      ),
    freezePrimary: () =>
      lose(
        "freeze",
        (old) => {
          frozen = processesOf(old);
          for (const pid of frozen) signal(pid, "SIGSTOP");
        },
        () => {
          for (const pid of frozen.splice(0)) signal(pid, "SIGCONT");
        },
      ),
    async stop() {
      process.off("exit", abandon);
      await bouncer.stop();
      abandon();
    },
  };
}

interface Seen {
  name: string;
  role: string;
  state: string;
}

async function readMembers(members: readonly Member[]): Promise<Seen[]> {
  for (const { restPort } of members) {
    try {
      const answer = await fetch(`http://127.0.0.1:${restPort}/cluster`, { signal: AbortSignal.timeout(2_000) });
      return ((await answer.json()) as { members: Seen[] }).members;
    } catch {
      // The other one may answer.
    }
  }
  return [];
}

/** That says so itself: what the others remember may be old. */
async function findLeader(members: readonly Member[]): Promise<Member | undefined> {
  for (const member of members) {
    const isLeader = await fetch(`http://127.0.0.1:${member.restPort}/primary`, {
      signal: AbortSignal.timeout(2_000),
    }).then(
      ({ status }) => status === 200,
      () => false,
    );
    if (isLeader) return member;
  }
  return undefined;
}

async function leaderOf(members: readonly Member[]): Promise<Member> {
  for (;;) {
    const leader = await findLeader(members);
    if (leader) return leader;
    await sleep(200);
  }
}

/** Without a synchronous standby nobody could take over. */
async function hasStandby(members: readonly Member[]): Promise<boolean> {
  return (await readMembers(members)).some(
    ({ role, state }) => role === "sync_standby" && /running|streaming/.test(state),
  );
}

async function until(isTrue: () => Promise<boolean>, ms: number): Promise<void> {
  for (const end = performance.now() + ms; ; await sleep(250)) {
    if (await isTrue()) return;
    if (performance.now() > end) throw new Error("the cluster did not become whole");
  }
}
