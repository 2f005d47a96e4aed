import assert from "node:assert/strict";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { createLog } from "#base/log.ts";
import { loadSettings } from "#config/config.ts";
import type { Context } from "#context.ts";
import { closeFileParts, type FileParts, openFileParts } from "#files/file-parts.ts";
import { heic, plain, red } from "#files/images/sample-images.fixture.ts";
import { inspectUpload, type UploadRules } from "./inspect-upload.ts";

const dataDir = mkdtempSync(join(tmpdir(), "cairn-gate-"));
let parts: FileParts;
let ctx: Context;
before(async () => {
  const log = createLog("silent");
  const caches = { version: () => 0 };
  parts = await openFileParts({
    dataDir,
    filesUrl: "",
    log,
    maxPixels: () => 1_000_000,
    maxCacheBytes: () => 0,
    caches,
  });
  const settings = loadSettings({ projectDir: dataDir, env: {}, flags: { data: dataDir } });
  ctx = { ...parts, settings } as Context;
});
after(async () => {
  await closeFileParts(parts);
  rmSync(dataDir, { recursive: true });
});

async function pass(name: string, bytes: Uint8Array | string, takes: UploadRules["takes"], settings = {}) {
  const source = (async function* () {
    yield Buffer.from(bytes as string);
  })();
  return inspectUpload(ctx, { staged: await ctx.staging.receive(source, 10_000_000), name }, { takes, settings });
}
const staged = () => readdirSync(ctx.staging.folder).length;

test("PF-18 HEIC becomes JPEG wherever it is sent, detected by its bytes (T42)", async () => {
  for (const [name, takes] of [
    ["photo.heic", "pictures"],
    ["photo.jpg", "pictures"],
    ["photo.HEIC", "files"],
    ["photo.heif", "links"],
  ] as const) {
    const { staged: file, ...rest } = await pass(name, heic, takes);
    assert.deepEqual([rest.name, rest.mime], ["photo.jpg", "image/jpeg"], name);
    assert.deepEqual([...readFileSync(file.path).subarray(0, 3)], [0xff, 0xd8, 0xff]);
    if (takes !== "files")
      assert.deepEqual([rest.image?.width, rest.image?.height, rest.image?.exif.make], [96, 64, "Cairn"]);
    await ctx.staging.discard(file);
  }
  assert.equal(staged(), 0);
});

test("PF-22 metadata becomes alternative text and tags, unless the field switches it off", async () => {
  const exif = { IFD0: { ImageDescription: "A hill\u0007 at dawn", Artist: "N. N." } };
  const jpeg = await plain(8, 4, red).withExif(exif).jpeg().toBuffer();
  const read = await pass("a.jpg", jpeg, "pictures");
  assert.match(`${read.image?.title}${read.image?.description}`, /A hill at dawn/);
  const none = await pass("a.jpg", jpeg, "pictures", { extractExif: false, extractPalette: false });
  assert.deepEqual(
    [none.image?.title, none.image?.description, none.image?.exif, none.image?.palette],
    ["", "", {}, []],
  );
  for (const { staged: file } of [read, none]) await ctx.staging.discard(file);
});

test("PF-17 a picture that is too large, or broken, is refused and leaves nothing", async () => {
  const large = await plain(2_000, 600, red).png().toBuffer();
  for (const bytes of [large, large.subarray(0, 200), "", "text", "<svg", heic.subarray(0, 300)]) {
    await assert.rejects(pass("a.png", bytes, "pictures"), { status: 400 });
  }
  assert.equal(staged(), 0);
});

test("PF-19 a drawing that would take too long to clean is refused", async () => {
  const open = '<svg xmlns="http://www.w3.org/2000/svg">';
  const repeated = `<g id="l0"><rect/></g>${Array.from({ length: 6 }, (_, at) => `<g id="l${at + 1}">${`<use href="#l${at}"/>`.repeat(10)}</g>`).join("")}`;
  for (const drawing of [
    `${open}${"<g>".repeat(2_000)}`,
    `${open}${"<g/>".repeat(60_000)}</svg>`,
    `${open}${repeated}<use href="#l6"/></svg>`,
  ]) {
    await assert.rejects(pass("a.svg", drawing, "files"), { status: 400 });
  }
  assert.equal(staged(), 0);
});
