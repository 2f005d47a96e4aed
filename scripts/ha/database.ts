// A database that survives its primary, for `npm run test:ha`: etcd, three PostgreSQL under Patroni with synchronous replication, HAProxy
// with an address of the primary and one of the replicas, and PgBouncer in transaction mode before the primary. Real Debian packages,
// loopback, one temporary folder.

import { type ChildProcess, execFile, execFileSync, spawn, spawnSync } from "node:child_process";
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readFileSync,
  rmSync,
  statfsSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { promisify } from "node:util";
import { Client } from "pg";
import { ensureCommand } from "../debian.ts";
import { freePort } from "../free-port.ts";
import { type Bouncer, startBouncer } from "../pgbouncer.ts";
import { answers, childrenOf, ensureBinaries, signal, userId } from "../postgres.ts";

interface Member {
  name: string;
  restPort: number;
  port: number;
  folder: string;
  patroni: ChildProcess;
}

export interface HighlyAvailable {
  /** Of the pool, of the primary by HAProxy, and of a replica by HAProxy. */
  pooled: string;
  direct: string;
  replica: string;
  /** The pool connects again, and so takes over what was set on the role. */
  reconnectPool(): Promise<void>;
  /** Asks Patroni to let another one lead. */
  switchOver(): Promise<void>;
  /** Ends the primary and its Patroni by SIGKILL, and starts them again when another one leads. */
  killPrimary(): Promise<void>;
  /** The primary and its Patroni stand still until another one leads. */
  freezePrimary(): Promise<void>;
  /** The disk of the synchronous replica is full until another one is synchronous in its place. */
  fillReplica(): Promise<void>;
  stop(): Promise<void>;
}

const run = promisify(execFile);
const user = "cairn";
const memberNames = ["n1", "n2", "n3"];
/** They end what hangs. */
const startMs = 180_000;
/** Members that do not come back are helped each half minute. */
const recoverMs = 480_000;
const stuckMs = 30_000;
/** Three servers and the logs that they keep need less. */
const roomBytes = 4e9;
const memoryFolder = "/dev/shm";
/** Of each member's own disk. */
const diskBytes = 4e9;
/** Files of the log, of 16 MB, that a replica surely has no room for. */
const maxLogFiles = 30;

export async function startHighlyAvailable(): Promise<HighlyAvailable> {
  ensureCommand("etcd", "etcd-server");
  ensureCommand("patroni");
  ensureCommand("haproxy");
  const bin = ensureBinaries();
  const owner = process.getuid?.() === 0 ? { uid: userId("-u"), gid: userId("-g") } : {};
  const folder = mkdtempSync(join(placeFor(roomBytes), "cairn-ha-"));
  chmodSync(folder, 0o755);
  const children = new Set<ChildProcess>();
  const start = (name: string, [command = "", ...args]: string[], more: object = {}): ChildProcess => {
    const out = openSync(join(folder, `${name}.log`), "a");
    const child = spawn(command, args, { stdio: ["ignore", out, out], cwd: folder, ...more });
    children.add(child);
    child.once("exit", () => children.delete(child));
    return child;
  };

  /** Fails with what Patroni has logged last. */
  async function until(complaint: string, isTrue: () => Promise<boolean>, ms: number): Promise<void> {
    for (const end = performance.now() + ms; ; await sleep(250)) {
      if (await isTrue()) return;
      if (performance.now() < end) continue;
      const logs = memberNames.map((name) => lastWords(name));
      throw new Error([complaint, JSON.stringify(await readMembers(members)), ...logs].join("\n\n"));
    }
  }

  const [etcdPort, peerPort] = [await freePort(), await freePort()];
  const etcdUrl = `http://127.0.0.1:${etcdPort}`;
  const peerUrl = `http://127.0.0.1:${peerPort}`;
  start("etcd", [
    ...["etcd", "--enable-v2", "--name", "e", "--data-dir", join(folder, "etcd"), "--initial-cluster", `e=${peerUrl}`],
    ...["--listen-client-urls", etcdUrl, "--advertise-client-urls", etcdUrl],
    ...["--listen-peer-urls", peerUrl, "--initial-advertise-peer-urls", peerUrl],
  ]);

  const members: Member[] = [];
  let frozen: number[] = [];
  const abandon = () => {
    for (const pid of [...frozen, ...members.flatMap(processesOf)]) signal(pid, "SIGKILL");
    for (const child of children) child.kill("SIGKILL");
    for (const member of members) unmount(member.folder);
    rmSync(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });
  };
  process.once("exit", abandon);
  const startPatroni = (name: string) => start(name, ["patroni", join(folder, `${name}.json`)], owner);
  for (const name of memberNames) {
    const own = join(folder, name);
    mkdirSync(own);
    if (owner.uid !== undefined) mount(own);
    if (owner.uid !== undefined) chownSync(own, owner.uid, owner.gid);
    const [port, restPort] = [await freePort(), await freePort()];
    const file = patroniFile({ name, etcdPort, restPort, port, own, bin });
    writeFileSync(join(folder, `${name}.json`), JSON.stringify(file));
    members.push({ name, port, restPort, folder: own, patroni: startPatroni(name) });
  }
  const ports = { primary: await freePort(), replica: await freePort() };
  writeFileSync(join(folder, "haproxy.cfg"), proxyFile(ports, members));
  start("haproxy", ["haproxy", "-f", join(folder, "haproxy.cfg")]);
  const direct = `postgres://${user}@127.0.0.1:${ports.primary}/postgres`;
  const replica = `postgres://${user}@127.0.0.1:${ports.replica}/postgres`;
  const isWhole = async () => (await findLeader(members)) !== undefined && (await areFollowing(members));
  await until("the cluster did not start", isWhole, startMs);
  await Promise.all([answers(direct), answers(replica)]);
  const bouncer: Bouncer = await startBouncer(direct, {
    size: 20,
    more: ["query_wait_timeout = 5", "server_login_retry = 1"],
  });

  /**
   * Does what an operator would when the cluster is not whole after half a minute, and says so. Patroni 3.0 may go on for ever with
   * "Synchronous replication key updated by someone else": its process at the leader is started again, and PostgreSQL runs on.
   * A member that does not answer, or stays without a PostgreSQL that follows, is started again, then filled again from the leader.
   */
  async function help(isFirst: boolean): Promise<void> {
    const leader = await findLeader(members);
    if (!leader) return;
    const said = lastWords(leader.name);
    const restart = (member: Member, why: string) => {
      console.log(`Patroni of ${member.name} ${why}: it is started again\n${lastWords(member.name, 600)}`);
      member.patroni.kill("SIGKILL");
      member.patroni = startPatroni(member.name);
    };
    if (said.split("key updated by someone else").length > 5) restart(leader, "chooses no synchronous replica");
    const seen = await readMembers(members);
    const followers = following(seen).map(({ name }) => name);
    const beingFilled = seen.filter(({ state }) => state === "creating replica").map(({ name }) => name);
    for (const member of members) {
      if (member === leader || followers.includes(member.name) || beingFilled.includes(member.name)) continue;
      if (isFirst || !(await refill(member))) restart(member, "does not follow");
      else console.log(`${member.name} does not follow: it is filled again\n${lastWords(member.name, 600)}`);
    }
  }

  const lastWords = (name: string, length = 3_000) => readFileSync(join(folder, `${name}.log`), "utf8").slice(-length);

  async function followed(): Promise<void> {
    let patience = performance.now() + stuckMs;
    let isFirst = true;
    const isOver = async () => {
      if (await isWhole()) return true;
      if (performance.now() < patience) return false;
      await help(isFirst);
      isFirst = false;
      patience = performance.now() + stuckMs;
      return false;
    };
    await until("the old primary did not follow", isOver, recoverMs);
  }

  /** Resolves when another one leads and all follow it; `undo` is called in between. */
  async function lose(act: (old: Member) => void, undo: (old: Member) => void): Promise<void> {
    const old = await leaderOf(members);
    const others = members.filter((member) => member !== old);
    act(old);
    await until("no other server leads", async () => (await findLeader(others)) !== undefined, recoverMs);
    undo(old);
    await followed();
  }
  return {
    direct,
    replica,
    pooled: bouncer.url(direct),
    async reconnectPool() {
      await bouncer.crash();
      await bouncer.resume();
    },
    async switchOver() {
      const leader = await leaderOf(members);
      const others = members.filter((member) => member !== leader);
      const answer = await fetch(`http://127.0.0.1:${leader.restPort}/switchover`, {
        method: "POST",
        body: JSON.stringify({ leader: leader.name }),
      });
      if (!answer.ok) throw new Error(`Patroni refuses a switchover: ${answer.status} ${await answer.text()}`);
      await until("no other server leads", async () => (await findLeader(others)) !== undefined, recoverMs);
      await followed();
    },
    killPrimary: () =>
      lose(
        (old) => {
          for (const pid of processesOf(old)) signal(pid, "SIGKILL");
        },
        (old) => {
          old.patroni = startPatroni(old.name);
        },
      ),
    freezePrimary: () =>
      lose(
        (old) => {
          frozen = processesOf(old);
          for (const pid of frozen) signal(pid, "SIGSTOP");
        },
        () => {
          for (const pid of frozen.splice(0)) signal(pid, "SIGCONT");
        },
      ),
    async fillReplica() {
      if (owner.uid === undefined) throw new Error("only root can give each member a disk that may be filled");
      const old = await synchronousReplica(members);
      if (!old) throw new Error("no replica is synchronous");
      const filler = join(old.folder, "filler");
      // It ends where no room is left, which is no success to it.
      await run("dd", ["if=/dev/zero", `of=${filler}`, "bs=1M"]).catch(() => undefined);
      let left = maxLogFiles;
      const isReplaced = async () => {
        if (left-- > 0) await nextLogFile(direct);
        const now = await synchronousReplica(members);
        return now !== undefined && now !== old;
      };
      await until("no other replica is synchronous", isReplaced, recoverMs);
      rmSync(filler);
      await followed();
    },
    async stop() {
      process.off("exit", abandon);
      await bouncer.stop();
      abandon();
    },
  };
}

/** In memory where there is room: nothing here survives the test, and a busy disk makes each return of a member take minutes. */
function placeFor(bytes: number): string {
  if (!existsSync(memoryFolder)) return tmpdir();
  const { bavail, bsize } = statfsSync(memoryFolder);
  return bavail * bsize > bytes ? memoryFolder : tmpdir();
}

/** A disk of its own, in memory, which alone can be filled. */
function mount(folder: string): void {
  execFileSync("mount", ["-t", "tmpfs", "-o", `size=${diskBytes}`, "cairn-ha", folder]);
}

function unmount(folder: string): void {
  // Processes that were ended a moment ago may still have files open.
  spawnSync("umount", ["--lazy", folder], { stdio: "ignore" });
}

/** A replica needs room for each file of the primary's log. */
async function nextLogFile(direct: string): Promise<void> {
  const client = new Client({ connectionString: direct, statement_timeout: 5_000 });
  await client.connect();
  try {
    await client.query("SELECT pg_switch_wal()");
  } finally {
    await client.end();
  }
}

interface MemberPlace {
  name: string;
  etcdPort: number;
  restPort: number;
  port: number;
  /** The folder of the member, and that of PostgreSQL's programs. */
  own: string;
  bin: string;
}

function patroniFile({ name, etcdPort, restPort, port, own, bin }: MemberPlace): object {
  const rest = `127.0.0.1:${restPort}`;
  const trust = (what: string) => `host ${what} all 127.0.0.1/32 trust`;
  return {
    scope: "cairn",
    name,
    restapi: { listen: rest, connect_address: rest },
    // By the second API. By the third one a leader of Patroni 3.0 that stood still takes its lock back without a look at who has it.
    etcd: { host: `127.0.0.1:${etcdPort}` },
    bootstrap: {
      dcs: {
        ...{ ttl: 20, loop_wait: 2, retry_timeout: 3, synchronous_mode: true },
        postgresql: { use_pg_rewind: true, parameters: { max_connections: 100, wal_keep_size: "256MB" } },
      },
      initdb: [{ encoding: "UTF8" }, { locale: "C" }],
    },
    postgresql: {
      ...{ listen: `127.0.0.1:${port}`, connect_address: `127.0.0.1:${port}` },
      ...{ data_dir: join(own, "data"), bin_dir: bin, pgpass: join(own, "pgpass") },
      authentication: { superuser: { username: user }, replication: { username: "replicator" } },
      // Else a former primary that cannot be rewound stays away until somebody looks.
      ...{ remove_data_directory_on_rewind_failure: true, remove_data_directory_on_diverged_timelines: true },
      // Else a copy of the leader begins with a checkpoint that takes minutes.
      basebackup: [{ checkpoint: "fast" }, "no-sync"],
      parameters: { unix_socket_directories: own },
      pg_hba: [trust("all"), trust("replication"), "local all all trust"],
    },
  };
}

function proxyFile(ports: { primary: number; replica: number }, members: readonly Member[]): string {
  const listen = (role: "primary" | "replica") => `listen ${role}
  bind 127.0.0.1:${ports[role]}
  option httpchk OPTIONS /${role}
  http-check expect status 200
  default-server inter 1s fall 2 rise 1 on-marked-down shutdown-sessions
${members.map(({ name, port, restPort }) => `  server ${name} 127.0.0.1:${port} check port ${restPort}`).join("\n")}
`;
  return `global
  maxconn 1000
defaults
  mode tcp
  timeout connect 2s
  timeout client 1h
  timeout server 1h
${listen("primary")}${listen("replica")}`;
}

function processesOf({ patroni, folder }: Member): number[] {
  const own = patroni.pid as number;
  try {
    const file = readFileSync(join(folder, "data", "postmaster.pid"), "utf8");
    const postmaster = Number(file.split("\n")[0]);
    return [own, postmaster, ...childrenOf(postmaster)];
  } catch {
    return [own];
  }
}

interface Seen {
  name: string;
  role: string;
  state: string;
  timeline?: number;
}

async function readMembers(members: readonly Member[]): Promise<Seen[]> {
  for (const { restPort } of members) {
    try {
      const answer = await fetch(`http://127.0.0.1:${restPort}/cluster`, { signal: AbortSignal.timeout(2_000) });
      return ((await answer.json()) as { members: Seen[] }).members;
    } catch {
      // Another one may answer.
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

/** Those that run as replicas, in the timeline of the leader: others cannot read its log. */
function following(seen: readonly Seen[]): Seen[] {
  const timeline = seen.find(({ role }) => role === "leader")?.timeline;
  const isRunning = ({ role, state }: Seen) => role !== "leader" && /^(running|streaming)$/.test(state);
  return seen.filter((member) => isRunning(member) && member.timeline === timeline);
}

/** The one that has every commit that was answered. */
async function synchronousReplica(members: readonly Member[]): Promise<Member | undefined> {
  const seen = (await readMembers(members)).find(({ role }) => role === "sync_standby");
  return members.find(({ name }) => name === seen?.name);
}

/** Asks Patroni to copy the leader's data once more; false when it does not. */
function refill({ restPort }: Member): Promise<boolean> {
  return fetch(`http://127.0.0.1:${restPort}/reinitialize`, {
    method: "POST",
    body: JSON.stringify({ force: true }),
    signal: AbortSignal.timeout(10_000),
  }).then(
    ({ ok }) => ok,
    () => false,
  );
}

/** All replicas run, and one of them has every commit that was answered: it can take over. */
async function areFollowing(members: readonly Member[]): Promise<boolean> {
  const seen = await readMembers(members);
  const replicas = following(seen);
  return replicas.length === members.length - 1 && replicas.some(({ role }) => role === "sync_standby");
}
