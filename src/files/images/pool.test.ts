import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { after, test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import type { CairnError } from "#base/errors.ts";
import { amongOthers, leastTime, until } from "#base/patience.fixture.ts";
import { mutate } from "./mutate.fixture.ts";
import {
  bomb,
  halves,
  heic,
  isNear,
  look,
  moving,
  noise,
  openStudio,
  red,
  type Studio,
} from "./sample-images.fixture.ts";

const studios: Studio[] = [];
function open(options?: Parameters<typeof openStudio>[0]): Studio {
  const studio = openStudio(options);
  studios.push(studio);
  return studio;
}
after(() => Promise.all(studios.map((studio) => studio.close())));

const everything = { exif: true, palette: true, location: true };

/** Processes that this one has started. */
function children(): number[] {
  const threads = readdirSync("/proc/self/task");
  return threads.flatMap((thread) =>
    readFileSync(`/proc/self/task/${thread}/children`, "utf8").split(" ").filter(Boolean).map(Number),
  );
}

/** Keeps a process busy for seconds. */
const heavy = { format: "gif", blur: 40 } as const;

test("IMG-1 processes are started with the first image, at most two, and end when there is no more work", async () => {
  const studio = open({ cores: 8, limits: { idleMs: 2_000 } });
  const source = await studio.put("a.png", halves(200, 100));
  const before = children().length;
  await studio.make(source, { format: "png", w: 50 });
  assert.equal(children().length, before + 1);
  let isDone = false;
  const work = Promise.all(Array.from({ length: 6 }, () => studio.make(source, { format: "png", w: 50 })));
  void work.finally(() => (isDone = true)).catch(() => {});
  let most = 0;
  // One that has no more work may end before the other is done.
  for (; !isDone; await sleep(1)) most = Math.max(most, children().length);
  await work;
  assert.equal(most, before + 2);
  await until(() => children().length === before);
  assert.ok(isNear((await look(await studio.make(source, { format: "png", w: 50 }))).at(5, 5), red));
});

test("IMG-1 the asking process loads no image library", () => {
  const report = "process.report.excludeNetwork = true; console.log(process.report.getReport().sharedObjects)";
  const loaded = (file: string) =>
    execFileSync(process.execPath, ["--import", new URL(file, import.meta.url).href, "-e", report], {
      encoding: "utf8",
    });
  assert.doesNotMatch(loaded("../file-parts.ts"), /vips/);
  assert.match(loaded("source.ts"), /vips/);
});

test("IMG-2 a process that dies takes its own job with it, and no other (T42)", async () => {
  const studio = open({ cores: 1 });
  const source = await studio.put("a.png", halves(200, 100));
  const large = await studio.put("large.jpg", noise(3000, 2000));
  await studio.make(source, { format: "png", w: 50 });
  const before = children();
  const [pid] = before.slice(-1) as [number];
  process.kill(pid, "SIGSTOP");
  const doomed = assert.rejects(studio.make(large, heavy), { word: "invalid", message: "The image cannot be read." });
  const waiting = studio.make(source, { format: "png", w: 40 });
  for (const signal of ["SIGSEGV", "SIGCONT"] as const) process.kill(pid, signal);
  await doomed;
  assert.equal((await look(await waiting)).width, 40);
});

test("IMG-2 PF-36 the job of a process that was killed is done again", async () => {
  const studio = open({ cores: 1 });
  const source = await studio.put("a.png", halves(200, 100));
  await studio.make(source, { format: "png", w: 50 });
  const pid = children().at(-1) as number;
  process.kill(pid, "SIGSTOP");
  const work = studio.images.inspect(source, everything);
  process.kill(pid, "SIGKILL");
  assert.equal((await work).width, 200);
});

test("IMG-42 PF-36 a busy machine does not fail an image", async () => {
  const studio = open({ cores: 1, limits: { jobMs: 1_000 } });
  const source = await studio.put("a.png", halves(200, 100));
  await studio.make(source, { format: "png", w: 50 });
  const pid = children().at(-1) as number;
  process.kill(pid, "SIGSTOP");
  const work = studio.images.inspect(source, everything);
  await sleep(1_500);
  process.kill(pid, "SIGCONT");
  assert.equal((await work).width, 200);

  const told = { word: "unavailable", message: /too busy/ };
  const hurried = open({ cores: 1, limits: { clockMs: amongOthers(500) } });
  await until(() => hurried.make(source, { format: "png", w: 50 }).catch(() => undefined));
  process.kill(children().at(-1) as number, "SIGSTOP");
  await assert.rejects(hurried.images.inspect(source, everything), told);
  const unborn = open({ cores: 1, limits: { startMs: 1 } });
  await assert.rejects(unborn.images.inspect(source, everything), told);
});

test("IMG-38 a signal to stop that reaches the image processes lets a running job end", async () => {
  const studio = open({ cores: 1 });
  const source = await studio.put("a.jpg", noise(1200, 900));
  await studio.make(source, { format: "png", w: 50 });
  const pid = children().at(-1) as number;
  const work = studio.make(source, { format: "webp", blur: 9 });
  for (const signal of ["SIGTERM", "SIGINT"] as const) process.kill(pid, signal);
  assert.equal((await look(await work)).width, 1200);
});

test("IMG-3 a job that takes too long ends with its process", async () => {
  const studio = open({ cores: 1, limits: { jobMs: 1_500 } });
  const source = await studio.put("a.png", halves(200, 100));
  const large = await studio.put("large.jpg", noise(4000, 3000));
  const given = { word: "invalid", message: "The image takes too long to process." };
  await assert.rejects(studio.make(large, heavy), given);
  assert.equal((await look(await studio.make(source, { format: "png", w: 40 }))).width, 40);
});

test("IMG-3 a job that takes too much memory ends with its process, and a process that has grown is replaced", async () => {
  const greedy = open({ cores: 1, limits: { killBytes: 150_000_000 } });
  const large = await greedy.put("large.jpg", noise(4000, 3000));
  await assert.rejects(greedy.make(large, heavy), { word: "invalid", message: /too much memory/ });
  const grown = open({ cores: 1, limits: { keepBytes: 1 } });
  const source = await grown.put("a.png", halves(200, 100));
  const seen = new Set<number>();
  for (let round = 0; round < 3; round += 1) {
    const work = grown.make(source, { format: "png", w: 50 });
    seen.add(children().at(-1) as number);
    await work;
  }
  assert.equal(seen.size, 3);
});

test("IMG-4 the queue has a limit: further callers get a time to retry (T40)", async () => {
  const studio = open({ cores: 1, limits: { waiting: 4 } });
  const source = await studio.put("a.jpg", noise(1200, 900));
  const results = await Promise.allSettled(
    Array.from({ length: 10 }, () => studio.make(source, { format: "webp", w: 300 })),
  );
  const refused = results.filter((result) => result.status === "rejected").map(({ reason }) => reason as CairnError);
  assert.equal(refused.length, 5);
  assert.ok(refused.every(({ word, retryAfter }) => word === "unavailable" && (retryAfter ?? 0) > 0));
});

test("IMG-4 an image that arrives goes before those that are asked for, however many these are (T40)", async () => {
  const studio = open({ cores: 1, limits: { waiting: 4 } });
  const source = await studio.put("a.jpg", noise(1200, 900));
  const ended: string[] = [];
  const asked = Array.from({ length: 8 }, (_, at) =>
    studio.make(source, { format: "webp", w: 100 + at }).then(
      () => ended.push("made"),
      () => ended.push("refused"),
    ),
  );
  const arrived = studio.images.inspect(source, everything).then(() => ended.push("arrived"));
  await Promise.all([...asked, arrived]);
  assert.deepEqual(ended, ["refused", "refused", "refused", "made", "arrived", "made", "made", "made", "made"]);
});

/** Not long, and nothing in it is repeated by reference: only drawing it tells. */
const slowDrawing = (rects: number) =>
  Buffer.from(
    '<svg xmlns="http://www.w3.org/2000/svg" width="2000" height="2000">' +
      `${'<rect width="2000" height="2000" fill="#f008"/>'.repeat(rects)}</svg>`,
  );

test("IMG-40 drawings that take long leave a process to all other images, and wait in a line of their own (T40)", async () => {
  const studio = open({ cores: 2, limits: { drawingMs: 1_000, waitingDrawings: 2 } });
  const source = await studio.put("a.png", halves(200, 100));
  const slow = await studio.put("slow.svg", slowDrawing(20_000));
  await Promise.all([50, 51].map((w) => studio.make(source, { format: "png", w })));
  const drawings = Array.from({ length: 8 }, (_, at) => studio.make(slow, { format: "png", w: 2_000 - at }));
  const settled = Promise.allSettled(drawings);
  let ended = 0;
  for (const drawing of drawings) drawing.catch((error) => (ended += error.word === "invalid" ? 1 : 0));
  for (let round = 0; round < 5; round += 1) await studio.make(source, { format: "webp", w: 40 + round });
  await studio.images.inspect(source, everything);
  assert.ok(ended < 2, `${ended} drawings had ended by then`);
  const words = (await settled).map((result) => (result.status === "rejected" ? result.reason.word : "made"));
  assert.deepEqual(words.sort(), [...Array(3).fill("invalid"), ...Array(5).fill("unavailable")]);
  const drawing = await studio.put("quick.svg", slowDrawing(1));
  assert.equal((await look(await studio.make(drawing, { format: "png", w: 40 }))).width, 40);
});

test("IMG-41 a drawing that takes long by its size alone is refused when it arrives, quick ones are not (T42)", async () => {
  const studio = open({ cores: 1, limits: { newDrawingMs: 1_000 } });
  const slow = await studio.put("slow.svg", slowDrawing(20_000));
  await assert.rejects(studio.images.inspect(slow, everything), { word: "invalid", message: /takes too long/ });
  const patient = open({ cores: 1 });
  const large = Buffer.from(slowDrawing(3).toString().replaceAll(`"2000"`, `"6000"`));
  const { width, height } = await patient.images.inspect(await patient.put("large.svg", large), everything);
  assert.deepEqual([width, height], [6_000, 6_000]);
});

test("IMG-39 a drawing that repeats its parts without end is refused before it is drawn (T42)", async () => {
  const studio = open({ cores: 1 });
  const level = (at: number) => `<g id="l${at + 1}">${`<use href="#l${at}"/>`.repeat(10)}</g>`;
  const levels = Array.from({ length: 9 }, (_, at) => level(at)).join("");
  const bytes = Buffer.from(
    `<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><g id="l0"><rect/></g>${levels}<use href="#l9"/></svg>`,
  );
  const source = await studio.put("laughs.svg", bytes);
  const started = performance.now();
  await assert.rejects(studio.make(source, { format: "png" }), { word: "invalid", message: /repeats its parts/ });
  assert.ok(performance.now() - started < amongOthers(4_000));
});

test("IMG-5 an image over the limits is refused from its header, at once (T36)", async () => {
  const studio = open({ cores: 1 });
  await studio.make(await studio.put("a.png", halves(200, 100)), { format: "png", w: 50 });
  for (const [width, height] of [
    [16_000, 16_000],
    [50_000, 100],
    [100, 50_000],
  ] as [number, number][]) {
    const path = await studio.put("bomb.png", await bomb(width, height));
    const refuse = async () => {
      await assert.rejects(studio.make(path, { format: "webp", w: 100 }), { word: "invalid", message: /too large/ });
      await assert.rejects(studio.images.inspect(path, everything), { word: "invalid", message: /too large/ });
    };
    assert.ok((await leastTime(300, refuse)) < 300);
  }
  const strict = open({ cores: 1, maxPixels: () => 1_000 });
  const small = await strict.put("small.png", halves(40, 30));
  await assert.rejects(strict.images.inspect(small, everything), { word: "invalid", message: /too large: 40 x 30/ });
});

test("IMG-5 a moving image of more than 500 frames is refused (T36)", async () => {
  const studio = open({ cores: 1 });
  const path = await studio.put("frames.gif", await moving(8, 8, 501));
  await assert.rejects(studio.images.inspect(path, everything), { word: "invalid", message: /too many frames/ });
});

test("IMG-6 a file that is not an image is refused, and a file that is not there is not found", async () => {
  const studio = open({ cores: 1 });
  for (const [name, content] of Object.entries({
    "empty.jpg": "",
    "page.jpg": "<html><body>no</body></html>",
    "text.png": "just text",
    "cut.png": (await halves(200, 100).png().toBuffer()).subarray(0, 60).toString("latin1"),
    "pdf.jpg": "%PDF-1.4\n1 0 obj",
  })) {
    const path = await studio.put(name, Buffer.from(content, "latin1"));
    await assert.rejects(studio.images.inspect(path, everything), { word: "invalid" }, name);
    await assert.rejects(studio.make(path, { format: "webp" }), { word: "invalid" }, name);
    await assert.rejects(studio.images.toJpeg(path, `${path}.out`), { word: "invalid" }, name);
  }
  await assert.rejects(studio.images.inspect("/nowhere/at/all.jpg", everything), { word: "not-found" });
});

test("IMG-2 mutants of every format are made or refused, and the work goes on (T42)", async () => {
  const studio = open({ limits: { jobMs: 5_000 } });
  const picture = () =>
    halves(120, 80).composite([
      { input: Buffer.from('<svg width="60" height="40"><circle cx="30" cy="20" r="18" fill="gold"/></svg>') },
    ]);
  const seeds: Record<string, Buffer> = {
    jpg: await picture()
      .withExif({ IFD0: { Make: "Cairn" } })
      .jpeg()
      .toBuffer(),
    png: await picture().png().toBuffer(),
    webp: await picture().webp().toBuffer(),
    avif: await picture().avif().toBuffer(),
    gif: await moving(60, 40, 3),
    tiff: await picture().tiff().toBuffer(),
    heic,
  };
  const { CAIRN_TEST_MUTANTS, CAIRN_TEST_SOAK, CAIRN_TEST_FULL } = process.env;
  const rounds = Number(CAIRN_TEST_MUTANTS ?? (CAIRN_TEST_SOAK === "1" ? 1_000 : CAIRN_TEST_FULL === "1" ? 280 : 112));
  const tally = new Map<string | undefined, number>();
  async function feed(at: number): Promise<void> {
    const [type, bytes] = Object.entries(seeds)[at % Object.keys(seeds).length] as [string, Buffer];
    const path = await studio.put(`mutant-${at}.${type}`, mutate(bytes, at));
    const work =
      type === "heic"
        ? studio.images.toJpeg(path, `${path}.jpg`)
        : at % 2
          ? studio.make(path, { format: "webp", w: 50, ...(at % 4 === 1 && { blur: 5 }) })
          : studio.images.inspect(path, everything);
    const word = await work.then(
      () => "made",
      (error: CairnError) => error.word,
    );
    tally.set(word, (tally.get(word) ?? 0) + 1);
  }
  for (let at = 0; at < rounds; at += 4) await Promise.all([0, 1, 2, 3].map((more) => feed(at + more)));
  assert.deepEqual(new Set(tally.keys()), new Set(["made", "invalid"]));
  assert.ok([...tally.values()].every((count) => count > rounds / 10));
  const good = await studio.put("good.png", halves(200, 100));
  assert.ok(isNear((await look(await studio.make(good, { format: "png", w: 50 }))).at(5, 5), red));
});
