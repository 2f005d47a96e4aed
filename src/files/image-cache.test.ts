import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { mkdir, mkdtemp, readdir, readFile, rm, stat, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { createLog } from "#base/log.ts";
import { until } from "#base/patience.fixture.ts";
import { openDisk } from "./disk.ts";
import {
  clearImages,
  derivedImage,
  type ImageCache,
  measureImages,
  measureImagesBy,
  openImageCache,
} from "./image-cache.ts";
import type { ImageRecipe } from "./image-types.ts";
import { noise, openStudio } from "./images/sample-images.fixture.ts";
import type { FileStore } from "./port.ts";
import { normaliseRecipe, recipeKey } from "./recipe-key.ts";
import { openStaging } from "./staging.ts";

const studio = openStudio();
const folders: string[] = [];
after(async () => {
  await studio.close();
  for (const folder of folders) await rm(folder, { recursive: true });
});

const key = "posts/one/image/photo.jpg";

interface Place extends ImageCache {
  /** Puts an image under a key; its tag. */
  put(key: string, width?: number): Promise<string>;
  get(recipe: ImageRecipe, sourceTag: string, sourceKey?: string): ReturnType<typeof derivedImage>;
}

async function open(maxBytes = 100_000_000, wrap: (files: FileStore) => FileStore = (files) => files): Promise<Place> {
  const dataDir = await mkdtemp(join(tmpdir(), "cairn-derived-"));
  folders.push(dataDir);
  const staging = await openStaging(dataDir);
  const files = wrap(await openDisk(dataDir));
  const log = createLog("silent");
  const cache = openImageCache({
    files,
    staging,
    images: studio.images,
    dataDir,
    maxBytes: () => maxBytes,
    log,
    owner: { version: () => 0 },
  });
  const place: Place = {
    ...cache,
    async put(to, width = 60) {
      const path = staging.path("jpg");
      await noise(width, 40).jpeg().toFile(path);
      return (await files.publish(await staging.adopt(path), to)).tag;
    },
    get: (recipe, sourceTag, sourceKey = key) => derivedImage(place, { sourceKey, sourceTag, recipe }),
  };
  return place;
}

/** Derived images below a folder. */
async function listVariants(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile() && entry.parentPath.includes("/.cache/"));
  return files.map((entry) => join(entry.parentPath, entry.name));
}

test("IMG-32 a derived image is stored beside its source, under a name made of recipe and source alone", async () => {
  const cache = await open();
  const tag = await cache.put(key);
  const image = await cache.get({ format: "webp", w: 30 }, tag);
  assert.equal(image.mime, "image/webp");
  const folder = join(cache.root, "posts/one/image/.cache/photo.jpg");
  assert.deepEqual(await readdir(folder), [`${image.tag}.webp`]);
  assert.deepEqual(image.bytes, await readFile(join(folder, `${image.tag}.webp`)));
  assert.equal(image.size, image.bytes?.length);
});

test("IMG-32 recipes that mean the same are one entry, others and other sources are not (T39)", () => {
  const name = (recipe: ImageRecipe, tag = "t") => recipeKey(normaliseRecipe(recipe), tag);
  const first = name({ format: "webp", w: 30, h: 20 });
  const same: ImageRecipe[] = [
    { h: 20, w: 30, format: "webp" },
    { format: "webp", w: 30, h: 20, fit: "inside", quality: 82, brightness: 0, gamma: 1, sepia: false, rotate: 0 },
    { format: "webp", w: 30, h: 20, watermarks: [], focalpoint: { x: 10, y: 10 } },
  ];
  for (const recipe of same) assert.equal(name(recipe), first);
  const mark = { image: "/a.png", position: "top", alpha: 50 };
  const others = [
    name({ format: "webp", w: 30, h: 21 }),
    name({ format: "png", w: 30, h: 20 }),
    name({ format: "webp", w: 30, h: 20, fit: "cover" }),
    name({ format: "webp", w: 30, h: 20 }, "u"),
    name({ format: "webp", w: 30, h: 20, watermarks: [{ ...mark, tag: "1" }] }),
    name({ format: "webp", w: 30, h: 20, watermarks: [{ ...mark, tag: "2" }] }),
  ];
  assert.equal(new Set([first, ...others]).size, 7);
  assert.equal(
    name({ format: "webp", watermarks: [{ ...mark, tag: "1" }] }),
    name({ format: "webp", watermarks: [{ ...mark, tag: "1", image: "/moved.png" }] }),
  );
  const text = { value: "a", size: 9, color: "ffffff", padding: 0, angle: 0 };
  const lettered = (font: string, tag: string) =>
    name({ format: "webp", watermarks: [{ text: { ...text, font }, tag, position: "top", alpha: 50 }] });
  assert.equal(lettered("/staged/1.ttf", "1"), lettered("/staged/2.ttf", "1"));
  assert.notEqual(lettered("/a.ttf", "1"), lettered("/a.ttf", "2"));
});

test("CACHE-37 what another version of Cairn has made is another entry", () => {
  const keyOf = (maker?: string) => recipeKey({ format: "webp", w: 30 }, "t", maker);
  assert.equal(keyOf(), keyOf());
  assert.notEqual(keyOf("0.0.1"), keyOf());
});

test("IMG-33 fifty that ask for the same image at once get the same bytes from one render (T40)", async () => {
  const cache = await open();
  const tag = await cache.put(key, 800);
  const images = await Promise.all(Array.from({ length: 50 }, () => cache.get({ format: "webp", w: 300 }, tag)));
  assert.deepEqual(cache.counters, { renders: 1, hits: 49, memoryHits: 49 });
  assert.equal(new Set(images.map(({ bytes }) => bytes?.toString("hex"))).size, 1);
});

test("IMG-33 a render that fails is not kept, and is tried again", async () => {
  const cache = await open();
  await mkdir(join(cache.root, "posts/one/image"), { recursive: true });
  await writeFile(join(cache.root, key), "no image");
  await assert.rejects(cache.get({ format: "webp", w: 10 }, "t"), { word: "invalid" });
  const tag = await cache.put(key);
  assert.ok((await cache.get({ format: "webp", w: 10 }, tag)).size > 0);
  assert.deepEqual(await readdir(cache.staging.folder), []);
});

test("IMG-34 derived images take no more room than they are given; the least recently used go first (T39)", async () => {
  const limit = 100_000;
  const cache = await open(limit);
  const tag = await cache.put(key);
  const first = await cache.get({ format: "jpg", quality: 100, w: 59 }, tag);
  for (let quality = 1; quality <= 99; quality += 1) {
    for (const w of [20, 30, 40, 50, 60]) await cache.get({ format: "jpg", quality, w }, tag);
    cache.hot.clear();
    await cache.get({ format: "jpg", quality: 100, w: 59 }, tag);
  }
  const variants = await listVariants(cache.root);
  const sizes = await Promise.all(variants.map(async (path) => (await stat(path)).size));
  const total = sizes.reduce((sum, size) => sum + size, 0);
  assert.ok(total <= limit && total > limit / 2, `${total} bytes`);
  assert.equal(cache.index.bytes, total);
  assert.ok(variants.some((path) => path.includes(first.tag)));
  assert.equal(cache.counters.renders, 496);
});

test("IMG-34 after a start, images from before count as well", async () => {
  const before = await open();
  const tag = await before.put(key);
  for (const w of [20, 30, 40, 50]) await before.get({ format: "jpg", w }, tag);
  const cache = openImageCache({ ...before });
  await derivedImage(cache, { sourceKey: key, sourceTag: tag, recipe: { format: "jpg", w: 25 } });
  await until(() => cache.index.bytes > before.index.bytes);
});

test("IMG-34 an image too large for the room is answered, not kept", async () => {
  const cache = await open(1_000);
  const tag = await cache.put(key);
  const image = await cache.get({ format: "png", w: 60 }, tag);
  assert.ok(image.bytes && image.size > 1_000);
  assert.deepEqual(await listVariants(cache.root), []);
});

test("IMG-35 MEM-4 a small image is answered from memory once it was asked for again, a large one by its path", async () => {
  const cache = await open();
  const tag = await cache.put(key);
  assert.ok((await cache.get({ format: "webp", w: 30 }, tag)).bytes);
  assert.equal(cache.hot.size, 0);
  assert.ok((await cache.get({ format: "webp", w: 30 }, tag)).bytes);
  await rm(join(cache.root, "posts/one/image/.cache"), { recursive: true });
  assert.ok((await cache.get({ format: "webp", w: 30 }, tag)).bytes);
  assert.deepEqual(cache.counters, { renders: 1, hits: 2, memoryHits: 1 });
  const large = await cache.put("posts/one/image/large.jpg", 4_000);
  const image = await cache.get({ format: "png" }, large, "posts/one/image/large.jpg");
  assert.ok(image.path && image.size > 262_144);
  assert.equal((await stat(image.path)).size, image.size);
  assert.equal((await cache.get({ format: "png" }, large, "posts/one/image/large.jpg")).path, image.path);
});

test("IMG-36 clearing removes the images of a file or a property, and returns their number", async () => {
  const cache = await open();
  const files = [
    "posts/one/gallery/a.jpg",
    "posts/one/gallery/b.jpg",
    "posts/one/depot/deep/a.jpg",
    "posts/two/gallery/a.jpg",
  ];
  for (const sourceKey of files) {
    const tag = await cache.put(sourceKey);
    for (const w of [10, 20]) await cache.get({ format: "webp", w }, tag, sourceKey);
  }
  assert.equal(await clearImages(cache, "posts/one/gallery/a.jpg"), 2);
  assert.equal(await clearImages(cache, "posts/one/gallery/a.jpg"), 0);
  assert.equal(await clearImages(cache, "posts/one/gallery"), 2);
  assert.equal(await clearImages(cache, "posts/one"), 2);
  assert.equal(await clearImages(cache, ""), 2);
  assert.equal(cache.index.bytes, 0);
  for (const sourceKey of files) assert.ok(existsSync(join(cache.root, sourceKey)));
});

test("ADM-940 the report counts images from before the start, and not those that another process cleared", async () => {
  const cache = await open();
  const tag = await cache.put(key);
  await cache.get({ format: "webp", w: 10 }, tag);
  await cache.get({ format: "webp", w: 10 }, tag);
  const { dataDir, files, staging, images, log, owner } = cache;
  const reopen = () => openImageCache({ files, staging, images, dataDir, maxBytes: () => 1_000_000, log, owner });
  const other = reopen();
  const bytes = (await stat((await listVariants(cache.root))[0] as string)).size;
  await other.index.recount();
  assert.deepEqual(await measureImages(other), {
    ...{ files: 1, bytes, limit: 1_000_000, isCounting: false },
  });
  assert.deepEqual([...measureImagesBy(other)], [[key.split("/")[0], { files: 1, bytes }]]);
  assert.deepEqual([cache.hot.count, cache.hot.size, cache.counters.hits], [1, bytes, 1]);

  // An image is counted by a walk that runs while it is cleared.
  const late = reopen();
  const counted = late.index.recount();
  await clearImages(late, "");
  await counted;
  assert.equal(late.index.entries, 0);
  assert.equal(late.index.bytes, 0);
});

test("IMG-36 a link that was planted is not followed", async () => {
  const cache = await open();
  const tag = await cache.put(key);
  await cache.get({ format: "webp", w: 10 }, tag);
  const outside = await mkdtemp(join(tmpdir(), "cairn-outside-"));
  folders.push(outside);
  await mkdir(join(outside, ".cache"));
  await writeFile(join(outside, ".cache", "x.webp"), "mine");
  await symlink(outside, join(cache.root, "posts", "link"));
  assert.equal(await clearImages(cache, ""), 1);
  assert.ok(existsSync(join(outside, ".cache", "x.webp")));
});

test("IMG-37 a replaced source has images of its own at once (T41)", async () => {
  const cache = await open();
  const before = await cache.get({ format: "webp", w: 30 }, await cache.put(key));
  const after = await cache.get({ format: "webp", w: 30 }, await cache.put(key));
  assert.notEqual(after.tag, before.tag);
  assert.notDeepEqual(after.bytes, before.bytes);
  assert.equal(cache.counters.renders, 2);
});

test("IMG-37 images of a source that goes while they are made do not stay, nor does its folder come back (T41)", async () => {
  const cache = await open();
  const tag = await cache.put(key, 2_000);
  // Heard at once: it may end while the folder is still being cleared.
  const running = cache.get({ format: "webp", w: 900 }, tag).catch(({ word }) => assert.equal(word, "not-found"));
  await sleep(30);
  await clearImages(cache, "posts/one");
  await cache.files.deleteAll("posts/one");
  await running;
  assert.equal(existsSync(join(cache.root, "posts/one")), false);
  await assert.rejects(cache.get({ format: "webp", w: 901 }, tag), { word: "not-found" });
});

test("IMG-32 where sources lie elsewhere, derived images lie in the data directory", async () => {
  const cache = await open(undefined, (files) => ({ ...files, localPath: () => undefined }));
  const tag = await cache.put(key);
  const image = await cache.get({ format: "webp", w: 30 }, tag);
  const folder = join(cache.dataDir, ".system/derived/posts/one/image/.cache/photo.jpg");
  assert.deepEqual(await readdir(folder), [`${image.tag}.webp`]);
  assert.equal(await clearImages(cache, "posts/one"), 1);
});
