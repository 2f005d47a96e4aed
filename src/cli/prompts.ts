// Questions to the person at the terminal, and standard input.

import { createInterface } from "node:readline/promises";
import type { Readable, Writable } from "node:stream";
import { UsageError } from "./usage.ts";

export interface Streams {
  stdin: Readable & { isTTY?: boolean; setRawMode?(isRaw: boolean): void };
  stderr: Writable & { isTTY?: boolean };
}

/** Whether a person can answer. */
export function canAsk(streams: Streams): boolean {
  return streams.stdin.isTTY === true && streams.stderr.isTTY === true;
}

export async function confirm(streams: Streams, question: string): Promise<boolean> {
  const lines = createInterface({ input: streams.stdin, output: streams.stderr });
  try {
    return /^y(es)?$/i.test((await lines.question(`${question} [y/N] `)).trim());
  } finally {
    lines.close();
  }
}

/** A destructive command needs --force, or a yes at the terminal. */
export async function requireConsent(streams: Streams, isForced: boolean, question: string): Promise<boolean> {
  if (isForced) return true;
  if (!canAsk(streams)) throw new UsageError("This cannot be undone: add --force to confirm.");
  return confirm(streams, question);
}

/** Reads one line without showing it. */
export async function askHidden(streams: Streams, question: string): Promise<string> {
  const { stdin, stderr } = streams;
  stderr.write(question);
  stdin.setRawMode?.(true);
  let answer = "";
  try {
    for await (const chunk of stdin) {
      for (const character of String(chunk)) {
        if (character === "\r" || character === "\n" || character === "\u0004") return answer;
        if (character === "\u0003") throw new UsageError("Cancelled.");
        if (character === "\u007f" || character === "\b") answer = answer.slice(0, -1);
        else answer += character;
      }
    }
    return answer;
  } finally {
    stdin.setRawMode?.(false);
    stderr.write("\n");
  }
}

/** Everything on standard input. */
export async function readAll(stdin: Readable): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of stdin) chunks.push(Buffer.from(chunk));
  return Buffer.concat(chunks);
}
