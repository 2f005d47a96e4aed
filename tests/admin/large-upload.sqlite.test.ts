// A file that is far larger than memory should ever hold, through a line that breaks all the way. A normal run sends 60 MB;
// `npm run test:soak` 1 GB.

import { equal, ok } from "node:assert/strict";
import { createHash } from "node:crypto";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { open as openFile } from "node:fs/promises";
import { get } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { repeats, type Server, startServer } from "../harness.ts";
import { allowProblems, newPage } from "../support/browser.ts";
import { flakyLine } from "../support/flaky-line.ts";
import { makeUser, signIn } from "../support/sign-in.ts";

const megabyte = 1_000_000;
const size = repeats(60, 1_000) * megabyte;
/** A connection is cut in the middle of its third chunk, and so is the next one. */
const cutAfter = 12 * megabyte;
const cuts = Math.floor(size / cutAfter / 2);

let server: Server;
const folder = mkdtempSync(join(tmpdir(), "cairn-large-"));
const path = join(folder, "film.bin");
let digest: string;

before(async () => {
  server = await startServer();
  await server.makeSchema({
    id: "reel",
    properties: {
      id: { type: "string", field: "id" },
      title: { type: "string", field: "text", label: "Title" },
      film: { type: "file", field: "file", label: "Film" },
    },
    required: ["id"],
  });
  await server.makeCollection({ id: "reels", schema: "reel", name: "Reels", labelSingular: "reel" });
  await server.request("POST", "/api/collections/reels", { body: { id: "long", title: "Long" } });
  await makeUser(server, "ada", ["admin"]);
  digest = await writeLarge();
});
after(async () => {
  await server.stop();
  rmSync(folder, { recursive: true });
});

/** No part is like another, so that a chunk that is lost, doubled or put elsewhere changes the digest. */
async function writeLarge(): Promise<string> {
  const hash = createHash("sha256");
  const file = await openFile(path, "w");
  const part = Buffer.alloc(megabyte);
  for (let at = 0; at < size / megabyte; at++) {
    for (let offset = 0; offset < part.length; offset += 8) {
      part.writeUInt32LE(at, offset);
      part.writeUInt32LE(offset, offset + 4);
    }
    hash.update(part);
    await file.write(part);
  }
  await file.close();
  return hash.digest("hex");
}

function downloaded(url: string): Promise<{ digest: string; length: number }> {
  return new Promise((resolve, reject) => {
    get(url, { headers: { "x-api-key": server.key } }, (answer) => {
      const hash = createHash("sha256");
      let length = 0;
      answer.on("data", (chunk: Buffer) => {
        hash.update(chunk);
        length += chunk.length;
      });
      answer.on("end", () => resolve({ digest: hash.digest("hex"), length }));
      answer.on("error", reject);
    }).on("error", reject);
  });
}

/** The most memory that the server ever held. */
const peak = () => Number(/VmHWM:\s+(\d+) kB/.exec(readFileSync(`/proc/${server.pid}/status`, "utf8"))?.[1]) * 1024;

test("ADM-411 ADM-413 a large file comes through a line that breaks again and again, whole", async (t) => {
  allowProblems(/ERR_/);
  const line = await flakyLine(server, { cuts, bytes: cutAfter });
  t.after(line.close);
  const held = peak();
  const page = await newPage(server, { as: await signIn(server, "ada") });
  await page.goto(`${line.url}/admin/collections/reels/long`);
  const chooser = page.waitForEvent("filechooser");
  await page.getByRole("button", { name: "Upload Film", exact: true }).click();
  await (await chooser).setFiles(path);
  const uploads = page.getByRole("region", { name: "Uploads" });
  await uploads.getByRole("progressbar", { name: "Progress of film.bin" }).waitFor();
  await uploads.getByText("Uploaded", { exact: true }).waitFor({ timeout: 900_000 });
  equal(line.cutsLeft(), 0);

  const { film } = (await server.request("GET", "/api/collections/reels/long")).body.data;
  equal(film.size, size);
  const stored = await downloaded(`${server.url}/download/reels/long/film`);
  equal(stored.length, size);
  equal(stored.digest, digest);
  ok(peak() - held < 200 * megabyte, `the server held ${Math.round((peak() - held) / megabyte)} MB more`);
});
