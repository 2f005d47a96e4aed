// Bytes that the kernel holds for the other ends of TCP connections, sent or not, until they are taken there. It may hold megabytes,
// so that a slow reader takes nothing from this process for a minute. Only Linux tells.

import { readFile } from "node:fs/promises";
import type { Socket } from "node:net";

export type KernelQueues = ReadonlyMap<string, number>;

const files = ["/proc/net/tcp", "/proc/net/tcp6"];
/** Addresses, each with its port, the state, and what waits to be sent; all in hexadecimal digits. */
const line = /^ *\d+: [0-9A-F]+:([0-9A-F]{4}) [0-9A-F]+:([0-9A-F]{4}) [0-9A-F]{2} ([0-9A-F]{8}):/gm;

/** By the ports of both ends; undefined where they cannot be known. Of connections with the same ports, the sum. */
export async function readKernelQueues(): Promise<KernelQueues | undefined> {
  const queues = new Map<string, number>();
  const texts = await Promise.all(files.map((file) => readFile(file, "latin1").catch(() => undefined)));
  if (texts[0] === undefined) return undefined;
  for (const text of texts) {
    for (const [, local, remote, waiting] of (text ?? "").matchAll(line)) {
      const bytes = Number.parseInt(waiting as string, 16);
      if (bytes > 0) queues.set(`${local} ${remote}`, (queues.get(`${local} ${remote}`) ?? 0) + bytes);
    }
  }
  return queues;
}

export function queueOf(queues: KernelQueues, { localPort, remotePort }: Socket): number {
  return queues.get(`${inDigits(localPort)} ${inDigits(remotePort)}`) ?? 0;
}

function inDigits(port = 0): string {
  return port.toString(16).toUpperCase().padStart(4, "0");
}
