// Sends the bytes of an open file from two buffers: one is filled while the other one is sent, and both are
// reused by the next file. Fresh memory for every piece costs more than the sending itself.

import type { FileHandle } from "node:fs/promises";
import type { Writable } from "node:stream";
import type { ByteRange } from "./port.ts";

const bufferSize = 262_144;
const sparePairs = 16;

type Pair = [Buffer, Buffer];

const spare: Pair[] = [];

/** Resolves when all of it is passed on; fails when the file or the receiver does. Neither is closed. */
export async function pump(handle: FileHandle, to: Writable, { start, end }: ByteRange): Promise<void> {
  const pair = spare.pop() ?? [Buffer.allocUnsafeSlow(bufferSize), Buffer.allocUnsafeSlow(bufferSize)];
  let [next, current] = pair;
  let at = start;
  let filled = await fill(handle, next, { start: at, end });
  while (filled > 0) {
    [current, next] = [next, current];
    at += filled;
    const piece = current.subarray(0, filled);
    [filled] = await Promise.all([fill(handle, next, { start: at, end }), write(to, piece)]);
  }
  // After a failure one of them may still be in use.
  if (spare.length < sparePairs) spare.push(pair);
}

/** 0: there is no more. */
async function fill(handle: FileHandle, buffer: Buffer, { start, end }: ByteRange): Promise<number> {
  const wanted = Math.min(buffer.length, end + 1 - start);
  if (wanted <= 0) return 0;
  const { bytesRead } = await handle.read(buffer, 0, wanted, start);
  if (bytesRead === 0) throw new Error("a file is shorter than it was");
  return bytesRead;
}

/** A connection that breaks at the wrong moment may not call back: its end is watched too. */
function write(to: Writable, bytes: Buffer): Promise<void> {
  return new Promise((resolve, reject) => {
    const leave = () => reject(new Error("the receiver has gone"));
    to.once("close", leave);
    to.write(bytes, (error) => {
      to.off("close", leave);
      if (error) reject(error);
      else resolve();
    });
  });
}
