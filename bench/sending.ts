// Bytes that are sent as they are: an image that was made before, a whole file, a part of one. Cairn and the floor are measured in
// turns, because the machine changes from second to second.

import {
  type Add,
  asksRange,
  closeFileSite,
  type FileSite,
  filePath,
  imagePath,
  openFileSite,
  rangePath,
} from "./file-site.ts";
import { runLoad } from "./load.ts";
import { cpuBetween, cpuTimes, type Running } from "./processes.ts";
import { whole } from "./table.ts";

const rounds = 3;

export async function benchSending(seconds: number, add: Add): Promise<void> {
  const site = await openFileSite();
  try {
    await measureSending(site, seconds, add);
  } finally {
    await closeFileSite(site);
  }
}

interface Sent {
  rate: number;
  /** Processor time of the server, microseconds a request. */
  cpu: number;
}

export async function measureSending({ cairn, floor }: FileSite, seconds: number, add: Add): Promise<void> {
  for (const { workload, path, floorPath, headers = {}, connections, bar } of [
    { workload: "the same image, made before", path: imagePath, floorPath: "/image", connections: 32, bar: 0.9 },
    { workload: "download of 10 MB", path: filePath, floorPath: "/file", connections: 4, bar: 0.9 },
    { workload: "range of 64 kB", path: rangePath, floorPath: "/range", ...asksRange, connections: 32, bar: 0.9 },
  ]) {
    const measure = async ({ url, pid }: Running, at: string, length = seconds): Promise<Sent> => {
      const before = cpuTimes([pid]);
      const load = { url, headers, requests: [{ method: "GET", path: at }], connections, seconds: length };
      const { rate, requests, errors } = await runLoad(load);
      if (errors > 0) throw new Error(`${at}: errors`);
      return { rate, cpu: cpuBetween(before, cpuTimes([pid])) / requests };
    };
    const ours: Sent[] = [];
    const bare: Sent[] = [];
    for (let round = 0; round <= rounds; round += 1) {
      const length = round === 0 ? 1 : seconds;
      ours.push(await measure(cairn, path, length));
      bare.push(await measure(floor, floorPath, length));
    }
    const [we, they] = [best(ours.slice(1)), best(bare.slice(1))];
    add({
      workload,
      cairn: `${whole(we.rate)}/s, ${whole(we.cpu)} µs`,
      floor: `${whole(they.rate)}/s, ${whole(they.cpu)} µs`,
      ratio: (we.rate / they.rate).toFixed(2),
      bar: `>= ${bar}`,
      isMet: we.rate >= bar * they.rate,
    });
  }
}

function best(all: readonly Sent[]): Sent {
  return { rate: Math.max(...all.map(({ rate }) => rate)), cpu: Math.min(...all.map(({ cpu }) => cpu)) };
}
