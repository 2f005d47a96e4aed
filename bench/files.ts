// Files and images: what Cairn adds to sending bytes and to making images, and how much memory large ones take.

import { createHash, randomBytes } from "node:crypto";
import { once } from "node:events";
import { createReadStream, createWriteStream, openAsBlob, rmSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import sharp from "sharp";
import { startNginx } from "../scripts/nginx.ts";
import { type Add, closeFileSite, type FileSite, megabyte, openFileSite, send, sendFile } from "./file-site.ts";
import { runLoad } from "./load.ts";
import { memory, type Running } from "./processes.ts";
import { measureSending } from "./sending.ts";
import { whole } from "./table.ts";

const largeSize = 1_024 * megabyte;
const chunkSize = 4 * megabyte;

export async function benchFiles(seconds: number, add: Add): Promise<void> {
  const site = await openFileSite();
  try {
    await benchCold(site, add);
    await measureSending(site, seconds, add);
    await benchFront(site, seconds, add);
    await benchUploads(site, add);
    await sendHugeImage(site);
    await benchHugeImages(site, { seconds, count: 1 }, add);
    await benchHugeImages(site, { seconds, count: 8 }, add);
  } finally {
    await closeFileSite(site);
  }
}

async function benchCold({ cairn, floor }: FileSite, add: Add): Promise<void> {
  const times = { ours: [] as number[], raw: [] as number[] };
  for (let round = 0; round < 7; round += 1) {
    const started = performance.now();
    await (await fetch(`${cairn.url}/imageworks/media/a/image.webp?w=${799 - round}&quality=80`)).arrayBuffer();
    times.ours.push(performance.now() - started);
    times.raw.push(((await (await fetch(`${floor.url}/convert`)).json()) as { ms: number }).ms);
  }
  const [ours, raw] = [median(times.ours), median(times.raw)];
  add({
    workload: "a new image: 12 megapixels to 800 px WebP",
    cairn: `${whole(ours)} ms`,
    floor: `${whole(raw)} ms`,
    ratio: (ours / raw).toFixed(2),
    bar: "<= 1.05",
    isMet: ours <= 1.05 * raw,
  });
}

function median(times: number[]): number {
  return times.sort((a, b) => a - b)[Math.floor(times.length / 2)] as number;
}

/** nginx in front, told by Cairn what to send, against nginx that asks nobody. */
async function benchFront({ cairn, folder, key }: FileSite, seconds: number, add: Add): Promise<void> {
  const set = async (handover: string) => {
    const headers = { "x-api-key": key, "content-type": "application/json" };
    await fetch(`${cairn.url}/api/settings/files`, { method: "PUT", headers, body: JSON.stringify({ handover }) });
  };
  await set("x-accel-redirect");
  const front = await startNginx({ url: cairn.url, dataDir: join(folder, "data") });
  const measure = async (path: string) => {
    const load = { url: front.url, headers: {}, requests: [{ method: "GET", path }], connections: 4, seconds };
    await runLoad({ ...load, seconds: 1 });
    const [first, second] = [await runLoad(load), await runLoad(load)];
    if (first.errors + second.errors > 0) throw new Error(`${path} by nginx: errors`);
    return Math.max(first.rate, second.rate);
  };
  const ours = await measure("/download/media/a/depot/ten.bin");
  const alone = await measure("/plain/media/a/depot/ten.bin");
  await front.stop();
  await set("");
  add({
    workload: "download of 10 MB by nginx in front",
    cairn: `${whole(ours)}/s`,
    floor: `${whole(alone)}/s`,
    ratio: (ours / alone).toFixed(2),
    bar: ">= 0.9",
    isMet: ours >= 0.9 * alone,
  });
}

/** A gigabyte by each way in; what the process grows by meanwhile. */
async function benchUploads(site: FileSite, add: Add): Promise<void> {
  const path = join(site.folder, "large.bin");
  await writeLarge(path);
  const digest = await digestOf(path);
  const copied = performance.now();
  const copy = createWriteStream(join(site.folder, "copy.bin"));
  createReadStream(path).pipe(copy);
  await once(copy, "close");
  const rawRate = largeSize / megabyte / ((performance.now() - copied) / 1_000);
  rmSync(join(site.folder, "copy.bin"));
  for (const [about, upload] of [
    ["direct", () => sendFile(site, "depot", path, "direct.bin")],
    ["in 256 chunks", () => sendChunks(site, path, "chunked.bin")],
    ["by URL", () => sendByUrl(site, path)],
  ] as const) {
    const started = performance.now();
    const grown = await growth(site.cairn, upload);
    const rate = largeSize / megabyte / ((performance.now() - started) / 1_000);
    add({
      workload: `upload of 1 GB ${about}`,
      cairn: `${whole(rate)} MB/s, + ${whole(grown)} MB`,
      floor: `${whole(rawRate)} MB/s raw copy`,
      ratio: (rate / rawRate).toFixed(2),
      bar: "+ 128 MB; 100 MB/s or 0.6",
      isMet: grown <= 128 && (rate >= 100 || rate >= 0.6 * rawRate),
    });
  }
  const sent = await fetch(`${site.cairn.url}/download/media/a/depot/direct.bin`);
  const hash = createHash("sha256");
  for await (const chunk of sent.body as ReadableStream<Uint8Array>) hash.update(chunk);
  if (hash.digest("hex") !== digest) throw new Error("the large file came back changed");
}

/** Megabytes that the process has more at some moment of the work than before it. Its highest ever would tell of other work. */
async function growth({ pid }: Running, work: () => Promise<unknown>): Promise<number> {
  const before = memory(pid, "VmRSS");
  let most = before;
  const watch = setInterval(() => {
    most = Math.max(most, memory(pid, "VmRSS"));
  }, 20);
  try {
    await work();
  } finally {
    clearInterval(watch);
  }
  return most - before;
}

async function writeLarge(path: string): Promise<void> {
  const block = randomBytes(8 * megabyte);
  const out = createWriteStream(path);
  for (let written = 0; written < largeSize; written += block.length) {
    block.writeUInt32LE(written / megabyte);
    if (!out.write(Buffer.from(block))) await once(out, "drain");
  }
  out.end();
  await once(out, "close");
}

async function digestOf(path: string): Promise<string> {
  const hash = createHash("sha256");
  for await (const chunk of createReadStream(path)) hash.update(chunk);
  return hash.digest("hex");
}

async function sendChunks({ cairn, key }: FileSite, path: string, name: string): Promise<void> {
  const blob = await openAsBlob(path);
  const total = Math.ceil(blob.size / chunkSize);
  for (let index = 0; index < total; index += 1) {
    const form = new FormData();
    form.set("dzuuid", "bench");
    form.set("dzchunkindex", String(index));
    form.set("dztotalchunkcount", String(total));
    form.set("depot", blob.slice(index * chunkSize, (index + 1) * chunkSize), name);
    await send(cairn.url, key, "/api/collections/media/a/depot", form);
  }
}

async function sendByUrl({ cairn, key }: FileSite, path: string): Promise<void> {
  const source = createServer((_request, response) => {
    response.writeHead(200, { "content-length": largeSize, "content-type": "application/octet-stream" });
    createReadStream(path).pipe(response);
  }).listen(0, "127.0.0.1");
  await once(source, "listening");
  const { port } = source.address() as AddressInfo;
  const body = JSON.stringify({ depot: `http://127.0.0.1:${port}/by-url.bin` });
  await send(cairn.url, key, "/api/collections/media/a/depot", body, "application/json");
  source.close();
}

async function sendHugeImage(site: FileSite): Promise<void> {
  const path = join(site.folder, "huge.jpg");
  await sharp({
    create: { width: 10_000, height: 10_000, channels: 3, background: "#335577" },
    limitInputPixels: false,
  })
    .jpeg({ progressive: true })
    .toFile(path);
  await sendFile(site, "huge", path, "huge.jpg");
}

/** Each of another width, so that none is made twice. */
async function benchHugeImages(
  site: FileSite,
  { seconds, count }: { seconds: number; count: number },
  add: Add,
): Promise<void> {
  const requests = [{ method: "GET", path: "/api/collections/media/a" }];
  const headers = { "x-api-key": site.key };
  // Readers alone first, so that what they cost is not taken for the image's.
  await runLoad({ url: site.cairn.url, headers, requests, connections: 4, seconds: 2 });
  const readers = runLoad({
    url: site.cairn.url,
    headers,
    requests,
    connections: 4,
    seconds: Math.max(seconds, count),
  });
  const started = performance.now();
  const make = async (width: number) =>
    (await fetch(`${site.cairn.url}/imageworks/media/a/huge.webp?w=${width}`)).arrayBuffer();
  const grown = await growth(site.cairn, () =>
    Promise.all(Array.from({ length: count }, (_, at) => make(800 - count - at))),
  );
  const ms = performance.now() - started;
  const { p99 } = await readers;
  add({
    workload: count === 1 ? "an image of 100 megapixels to 800 px" : `the same, ${count} at once`,
    cairn: `${whole(ms)} ms, readers' p99 ${whole(p99)} ms`,
    floor: "",
    ratio: "",
    bar: `${count * 5_000} ms; 150 ms`,
    isMet: ms <= count * 5_000 && p99 <= 150,
  });
  add({
    workload: "- memory of the server meanwhile",
    cairn: `+ ${whole(grown)} MB`,
    floor: "",
    ratio: "",
    bar: "+ 30 MB",
    isMet: grown <= 30,
  });
}
