// Runs servers and commands in processes that other test files have used before, and that have the program in memory
// (scripts/warm-pool.ts, decision 026). It carries; it never asserts.

import { channel } from "node:diagnostics_channel";
import { readFileSync } from "node:fs";
import { createConnection } from "node:net";
import { createInterface } from "node:readline";
import type { Printed, Told } from "../../scripts/warm-pool.ts";
import type { Asked } from "../../scripts/warm-process.ts";

export interface WarmUse {
  isServer: boolean;
  /** Of the processors. */
  seconds: number;
}

/** Where uses are counted (scripts/report-usage.ts). */
const uses = channel("cairn:warm");

export interface Warm {
  pid: number;
  stdout(): string;
  stderr(): string;
  /** Resolves to the exit code, or null after a kill. Rejects when the command has left something open. */
  ended: Promise<number | null>;
}

/** Whether this command can run there: nothing that steers Node itself works after the start, and workers are forked. */
export function canBeWarm(args: string[], env: Record<string, string>): boolean {
  if (process.env.CAIRN_TEST_WARM === undefined || args.includes("--workers")) return false;
  return !Object.keys(env).some((name) => /^(NODE_(?!COMPILE_CACHE$)|LD_|CAIRN_WORKERS$)/.test(name));
}

/** `onPrinted` is called whenever there may be something new in `stdout`. */
export function beginWarm(asked: Asked, onPrinted: () => void = () => {}): Promise<Warm> {
  const socket = createConnection(process.env.CAIRN_TEST_WARM as string);
  socket.write(`${JSON.stringify(asked)}\n`);
  const { promise: ended, resolve, reject } = Promise.withResolvers<number | null>();
  // The caller looks at it later.
  ended.catch(() => {});
  const isServer = asked.args[0] === "serve";
  /** Where the output of this command ends, once it has ended: the process may print that of another one then. */
  let ends: { stdout?: number; stderr?: number } = {};
  const reading =
    (stream: "stdout" | "stderr", { file, from }: Printed) =>
    () =>
      readFileSync(file).subarray(from, ends[stream]).toString("utf8");

  return new Promise((began, failed) => {
    const fail = (error: Error) => {
      failed(error);
      reject(error);
    };
    socket.once("error", fail);
    socket.once("close", () => fail(new Error("The pool of processes is gone.")));
    createInterface(socket).on("line", (line) => {
      const told: Told = JSON.parse(line);
      if (told.type === "printed") return onPrinted();
      if (told.type === "began") {
        const { pid, stdout, stderr } = told;
        return began({ pid, stdout: reading("stdout", stdout), stderr: reading("stderr", stderr), ended });
      }
      if (told.type === "ended") {
        ends = told.ends;
        uses.publish({ isServer, seconds: told.seconds } satisfies WarmUse);
        if (told.left.length > 0)
          reject(new Error(`cairn ${asked.args.join(" ")} would not end: ${told.left.join(", ")}`));
      }
      resolve(told.code);
      socket.destroy();
    });
  });
}

/** One command, run to its end. */
export async function runWarm(asked: Asked): Promise<{ code: number | null; stdout: string; stderr: string }> {
  const { stdout, stderr, ended } = await beginWarm(asked);
  const code = await ended;
  return { code, stdout: stdout(), stderr: stderr() };
}
