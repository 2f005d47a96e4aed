// Runs commands in one process of the test file instead of one process each, which mostly would load the program (decision 026).
// Only one at a time: a test that runs several at once gets processes for the others. It carries; it never asserts.

import { type ChildProcess, spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { join } from "node:path";
import type { Asked } from "../../scripts/command-process.ts";
import type { CliResult } from "../harness.ts";

const program = join(import.meta.dirname, "..", "..", "scripts", "command-process.ts");

let shared: ChildProcess | undefined;
let isBusy = false;

/** Whether this command can run there now: nothing that steers Node itself works after the start. */
export function canShare(args: string[], env: Record<string, string>): boolean {
  const isOn = process.env.CAIRN_TEST_SHARED_COMMANDS === "1";
  return isOn && !isBusy && args[0] !== "serve" && env.NODE_OPTIONS === undefined;
}

/** One command, run to its end. */
export async function runShared(flags: string[], asked: Omit<Asked, "mark">): Promise<CliResult> {
  isBusy = true;
  if (!shared || shared.exitCode !== null || shared.signalCode !== null) shared = start(flags, asked.env);
  const child = shared;
  hold(child, true);
  try {
    const mark = `\0${randomUUID()}\0`;
    const ended = new Promise<number | null>((done) => {
      child.once("message", (code) => done(Number(code)));
      child.once("exit", (code) => done(code));
    });
    const stdout = readTo(child.stdout as NodeJS.ReadableStream, mark);
    const stderr = readTo(child.stderr as NodeJS.ReadableStream, mark);
    child.send({ ...asked, mark } satisfies Asked);
    const code = await ended;
    return { code, stdout: await stdout, stderr: await stderr };
  } finally {
    child.removeAllListeners("message").removeAllListeners("exit");
    hold(child, false);
    isBusy = false;
  }
}

/** Ends the process, if there is one at rest; otherwise it ends with this one. */
export async function endShared(): Promise<void> {
  if (isBusy || !shared || shared.exitCode !== null) return;
  const child = shared;
  shared = undefined;
  hold(child, true);
  const ended = new Promise((done) => child.once("exit", done));
  child.disconnect();
  await ended;
}

function start(flags: string[], env: Record<string, string>): ChildProcess {
  return spawn(process.execPath, [...flags, program], {
    env,
    stdio: ["ignore", "pipe", "pipe", "ipc"],
    serialization: "advanced",
  });
}

/** Between commands it keeps no test file from ending. */
function hold(child: ChildProcess, isHeld: boolean): void {
  const verb = isHeld ? "ref" : "unref";
  child[verb]();
  child.channel?.[verb]();
  for (const stream of [child.stdout, child.stderr]) (stream as unknown as { ref(): void; unref(): void })[verb]();
}

/** What is written before the mark, or before the end. */
function readTo(stream: NodeJS.ReadableStream, mark: string): Promise<string> {
  return new Promise((done) => {
    const chunks: Buffer[] = [];
    const finish = () => {
      stream.off("data", read).off("end", finish);
      const text = Buffer.concat(chunks).toString("utf8");
      done(text.endsWith(mark) ? text.slice(0, -mark.length) : text);
    };
    const end = Buffer.from(mark);
    const read = (chunk: Buffer) => {
      chunks.push(chunk);
      if (Buffer.concat(chunks.slice(-2)).subarray(-end.length).equals(end)) finish();
    };
    stream.on("data", read).once("end", finish);
  });
}
