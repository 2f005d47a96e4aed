// A site with one photo and one file of 10 MB, and its floor, which has the same bytes.

import { randomBytes } from "node:crypto";
import { mkdirSync, mkdtempSync, openAsBlob, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import sharp from "sharp";
import { finish, type Running, start } from "./processes.ts";
import type { Row } from "./table.ts";

export const megabyte = 1_048_576;
const rangeSize = 65_536;
const rangeStart = Math.floor((10 * megabyte - rangeSize) / 2);

export const imagePath = "/imageworks/media/a/image.webp?w=800&quality=80";
export const filePath = "/download/media/a/depot/ten.bin";
export const rangePath = "/stream/media/a/depot/ten.bin";
export const asksRange = { headers: { range: `bytes=${rangeStart}-${rangeStart + rangeSize - 1}` } };

export interface FileSite {
  folder: string;
  cairn: Running;
  floor: Running;
  key: string;
}

export type Add = (row: Row) => void;

export async function openFileSite(): Promise<FileSite> {
  const folder = mkdtempSync(join(tmpdir(), "cairn-bench-files-"));
  const settings = { files: { allowPrivateHosts: true } };
  mkdirSync(join(folder, "data", ".system"), { recursive: true });
  writeFileSync(join(folder, "data", ".system", "settings.json"), JSON.stringify(settings));
  const env = { CAIRN_DATA: join(folder, "data"), CAIRN_LOG_LEVEL: "error" };
  const created = await finish("src/main.ts", ["key:create", "--name", "bench", "--json"], env);
  const { key } = JSON.parse(created) as { key: string };
  const cairn = await start("src/main.ts", ["serve", "--port", "0"], env);
  const ask = (path: string, body: object) => send(cairn.url, key, path, JSON.stringify(body), "application/json");
  const properties = {
    id: { type: "slug" },
    image: { type: "image" },
    huge: { type: "image" },
    depot: { type: "depot" },
  };
  await ask("/api/schemas", { id: "media", properties, required: ["id"], index: ["id"] });
  await ask("/api/collections", { id: "media", schema: "media", publicOperations: ["read"] });
  await ask("/api/collections/media", { id: "a" });

  const photo = join(folder, "photo.jpg");
  await drawPhoto(photo, 4_000, 3_000);
  await sendFile({ folder, cairn, key }, "image", photo, "photo.jpg");
  const file = join(folder, "ten.bin");
  writeFileSync(file, randomBytes(10 * megabyte));
  await sendFile({ folder, cairn, key }, "depot", file, "ten.bin");
  const made = join(folder, "made.webp");
  const heads = join(folder, "heads.json");
  const answers = await Promise.all(
    [imagePath, filePath, rangePath].map((path) => fetch(cairn.url + path, path === rangePath ? asksRange : {})),
  );
  const [image] = await Promise.all(answers.map((answer) => answer.arrayBuffer()));
  writeFileSync(made, Buffer.from(image as ArrayBuffer));
  writeFileSync(heads, JSON.stringify(answers.map(headOf)));
  const floor = await start("bench/floor-files.ts", [made, file, photo, heads]);
  return { folder, cairn, floor, key };
}

/** What Cairn itself has added: the floor sends as much. */
function headOf({ headers }: Response): Record<string, string> {
  const fromNode = new Set(["connection", "date", "keep-alive", "transfer-encoding"]);
  return Object.fromEntries([...headers].filter(([name]) => !fromNode.has(name)));
}

export async function closeFileSite({ folder, cairn, floor }: FileSite): Promise<void> {
  await cairn.stop();
  await floor.stop();
  rmSync(folder, { recursive: true, force: true });
}

/** Smooth colours under noise: neither trivial nor random for a codec. */
async function drawPhoto(path: string, width: number, height: number): Promise<void> {
  const noise = {
    create: {
      width,
      height,
      channels: 3 as const,
      background: "#808080",
      noise: { type: "gaussian" as const, mean: 128, sigma: 24 },
    },
  };
  const small = await sharp(randomBytes(24 * 16 * 3), { raw: { width: 24, height: 16, channels: 3 } })
    .resize(width, height, { kernel: "cubic", fit: "fill" })
    .png({ compressionLevel: 1 })
    .toBuffer();
  await sharp(noise)
    .composite([{ input: small, blend: "soft-light" }])
    .jpeg({ quality: 90 })
    .toFile(path);
}

export async function send(
  url: string,
  key: string,
  path: string,
  body: string | FormData,
  type?: string,
): Promise<string> {
  const headers = { "x-api-key": key, ...(type && { "content-type": type }) };
  const answer = await fetch(url + path, { method: "POST", headers, body });
  const text = await answer.text();
  if (!answer.ok) throw new Error(`${path} answered ${answer.status}: ${text.slice(0, 300)}`);
  return text;
}

export async function sendFile(
  site: Omit<FileSite, "floor">,
  property: string,
  path: string,
  name: string,
): Promise<void> {
  const form = new FormData();
  form.set(property, await openAsBlob(path), name);
  await send(site.cairn.url, site.key, `/api/collections/media/a/${property}`, form);
}
