// Processes that run servers and commands of the tests, one after another each, for all test files of a run (decision 026):
// a process that has the program in memory starts a server in a tenth of the time. A test file asks over a socket; the
// connection is its lease. What it prints is kept in files of the folder.

import { type ChildProcess, spawn } from "node:child_process";
import { closeSync, openSync, statSync } from "node:fs";
import { createServer, type Socket } from "node:net";
import { join } from "node:path";
import { createInterface } from "node:readline";
import type { Asked, Said } from "./warm-process.ts";

/** What a test file is told, one JSON document a line. */
export type Told =
  | { type: "began"; pid: number; stdout: Printed; stderr: Printed }
  | { type: "printed" }
  | (Extract<Said, { type: "ended" }> & { ends: { stdout: number; stderr: number } })
  | { type: "lost"; code: number | null };

/** Where in a file begins what this command prints. */
export interface Printed {
  file: string;
  from: number;
}

export interface WarmPool {
  /** For the tests' environment. */
  socket: string;
  /** Processes that ended without being asked to, while no test used them. */
  lost(): string[];
  stop(): Promise<void>;
}

interface Member {
  child: ChildProcess;
  stdout: string;
  stderr: string;
  uses: number;
  lease: Socket | undefined;
}

const program = join(import.meta.dirname, "warm-process.ts");
/** As bin/cairn starts it. */
export const nodeFlags = [
  "--disable-warning=ExperimentalWarning",
  "--max-semi-space-size=16",
  "--no-allocation-site-pretenuring",
];
/** What servers leave in memory goes after so many. */
const maxUses = 60;

export async function startWarmPool(folder: string): Promise<WarmPool> {
  const members = new Set<Member>();
  const idle: Member[] = [];
  const lost: string[] = [];
  let made = 0;
  let isStopping = false;

  function grow(env: Record<string, string>): Member {
    made += 1;
    const [stdout, stderr] = ["out", "err"].map((end) => join(folder, `${made}.${end}`)) as [string, string];
    const files = [openSync(stdout, "a"), openSync(stderr, "a")] as const;
    const child = spawn(process.execPath, [...nodeFlags, program], {
      env,
      cwd: "/",
      stdio: ["ignore", ...files, "ipc"],
    });
    for (const file of files) closeSync(file);
    const member: Member = { child, stdout, stderr, uses: 0, lease: undefined };
    members.add(member);
    child.on("message", (said: Said) => hear(member, said));
    child.once("exit", (code, signal) => {
      members.delete(member);
      const at = idle.indexOf(member);
      if (at >= 0) idle.splice(at, 1);
      if (member.lease) tell(member.lease, { type: "lost", code });
      else if (!isStopping && code !== 0) lost.push(`${stderr}: ${signal ?? code}`);
    });
    return member;
  }

  function hear(member: Member, said: Said): void {
    const { lease, child, stdout, stderr } = member;
    if (said.type === "printed") {
      if (lease) tell(lease, said);
    } else if (said.type === "ended") {
      if (lease) tell(lease, { ...said, ends: { stdout: statSync(stdout).size, stderr: statSync(stderr).size } });
      member.lease = undefined;
    } else if (member.uses < maxUses) idle.push(member);
    else child.disconnect();
  }

  const server = createServer((socket) => {
    let member: Member | undefined;
    socket.on("error", () => {});
    createInterface(socket).once("line", (line) => {
      const asked: Asked = JSON.parse(line);
      const found = idle.pop() ?? grow(asked.env);
      member = found;
      found.uses += 1;
      found.lease = socket;
      const printed = (file: string): Printed => ({ file, from: statSync(file).size });
      tell(socket, {
        type: "began",
        pid: found.child.pid as number,
        stdout: printed(found.stdout),
        stderr: printed(found.stderr),
      });
      found.child.send(asked);
    });
    // A test file that ends without stopping its server.
    socket.once("close", () => {
      if (!member || member.lease !== socket) return;
      member.lease = undefined;
      members.delete(member);
      member.child.removeAllListeners("exit").kill("SIGKILL");
    });
  });
  const socket = join(folder, "pool");
  await new Promise<void>((done) => server.listen(socket, done));
  process.once("exit", () => {
    for (const { child } of members) child.kill("SIGKILL");
  });

  return {
    socket,
    lost: () => lost,
    async stop() {
      isStopping = true;
      server.close();
      await Promise.all(
        [...members].map(({ child }) => {
          const ended = new Promise((done) => child.once("exit", done));
          child.disconnect();
          return ended;
        }),
      );
    },
  };
}

function tell(socket: Socket, told: Told): void {
  socket.write(`${JSON.stringify(told)}\n`);
}
