import assert from "node:assert/strict";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { createCollection } from "#content/collections/collections.ts";
import { createSchema } from "#content/collections/schemas.ts";
import { createObject, deleteObject, patchObject } from "#content/objects/objects.ts";
import { openTestContext } from "#context.fixture.ts";
import type { Context } from "#context.ts";
import type { Json } from "#contract/json.ts";
import type { PageAnswer, PageRequest } from "#site/pages/page-request.ts";
import { createRenderPage } from "#site/template/create-render-page.ts";
import { noRecorder, type Recorder } from "#site/template/recorder.ts";
import type { AnswerPage } from "#site/template/render-page.ts";
import { keptPagesOf, servePage } from "./kept-pages.ts";
import { pageRequest, type Site, type Step, siteAnswers } from "./page-cache.fixture.ts";

let ctx: Context;
let close: () => Promise<void>;
let now = Date.now();

before(async () => {
  ({ ctx, close } = await openTestContext());
  ctx.clock = { now: () => now, iso: () => new Date(now).toISOString() };
  const text: Json = { type: "string", field: "text" };
  const properties = {
    ...{ id: { type: "slug" }, title: text, status: text, body: text },
    ...{ count: { type: "number" }, draft: { type: "boolean", field: "toggle" } },
  };
  for (const id of ["posts", "people"]) {
    await createSchema(ctx, { id, properties, required: ["id"], index: ["id", "title", "status"] });
    await createCollection(ctx, { id, schema: id });
  }
});
after(() => close());

const counters = () => ({ ...keptPagesOf(ctx).counters });

async function ask(answer: AnswerPage, address: string): Promise<string> {
  return Buffer.from((await servePage(ctx, pageRequest(address), answer)).octets, "latin1").toString();
}

/** What a template would do, and how often it was called. */
function page(read: (recorder: Recorder, request: PageRequest) => unknown, more: Partial<PageAnswer> = {}) {
  const made = { count: 0 };
  const answer: AnswerPage = async (request, recorder) => {
    made.count += 1;
    const body = String(await read(recorder, request));
    return { status: 200, headers: {}, body, isPrivate: false, ...more };
  };
  return { answer, made };
}

/** Repeats with the same seed. */
function dice(seed: number): (most: number) => number {
  let state = seed;
  return (most) => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fffffff;
    return (state >> 8) % most;
  };
}

const names = ["title", "status", "body", "count"];
const statuses = ["new", "old"];
const ids = ["a", "b", "c", "d", "e", "f", "g", "h"];
const pick = <T>(roll: (most: number) => number, list: readonly T[]): T => list[roll(list.length)] as T;

function randomStep(roll: (most: number) => number, depth = 0): Step {
  const collection = pick(roll, ["posts", "people"]);
  const read = names.filter(() => roll(3) === 0);
  const kind = roll(depth > 1 ? 2 : 3);
  if (kind === 0) return { kind: "get", collection, id: pick(roll, ids), read };
  if (kind === 1)
    return {
      kind: "query",
      collection,
      status: pick(roll, statuses),
      limit: 1 + roll(5),
      isCounted: roll(2) === 0,
      read,
    };
  const then = Array.from({ length: 1 + roll(2) }, () => randomStep(roll, depth + 1));
  return { kind: "parameter", name: pick(roll, ["page", "q"]), value: pick(roll, ["1", "2"]), then };
}

async function randomWrite(roll: (most: number) => number, existing: Set<string>): Promise<void> {
  const collection = pick(roll, ["posts", "people"]);
  const id = pick(roll, ids);
  const key = `${collection}/${id}`;
  const values = { title: `t${roll(3)}`, status: pick(roll, statuses), body: `b${roll(3)}`, count: roll(3) };
  if (!existing.has(key)) {
    existing.add(key);
    await createObject(ctx, collection, { id, draft: roll(4) === 0, ...values });
  } else if (roll(5) === 0) {
    existing.delete(key);
    await deleteObject(ctx, collection, id, {});
  } else {
    const name = pick(roll, [...names, "draft"]);
    const value = name === "draft" ? roll(3) === 0 : values[name as keyof typeof values];
    await patchObject(ctx, collection, id, { body: { [name]: value } });
  }
}

test("CACHE-1, CACHE-2 a kept page equals a fresh rendering, and is rendered only when what it read has changed", async () => {
  const seed = Number(process.env.CAIRN_TEST_SEED ?? Math.trunc(Math.random() * 1e9));
  const roll = dice(seed);
  const site: Site = new Map();
  for (let n = 0; n < 12; n += 1)
    site.set(
      `/p${n}`,
      Array.from({ length: 1 + roll(4) }, () => randomStep(roll)),
    );
  const answer = siteAnswers(ctx, site);
  const existing = new Set<string>();
  /** What each page printed when it was rendered last: all that it has read. By path and the parameters that it read. */
  const model = new Map<string, string>();
  for (let step = 0; step < 600; step += 1) {
    for (let n = roll(3); n > 0; n -= 1) await randomWrite(roll, existing);
    const path = pick(roll, [...site.keys()]);
    const address = path + pick(roll, ["", "?page=1", "?page=2&utm=x", "?q=1&page=1", "?utm=y"]);
    const before = counters();
    const sent = await ask(answer, address);
    const read: string[] = [path];
    const parameter = (name: string, value: string | undefined) => read.push(`${name}=${value}`);
    const fresh = (await answer(pageRequest(address), { ...noRecorder, parameter })).body;
    const about = `seed ${seed}, step ${step}, ${address}`;
    assert.equal(sent, fresh, about);
    const variant = [...new Set(read)].join(" ");
    assert.equal(counters().renderings - before.renderings, model.get(variant) === fresh ? 0 : 1, about);
    model.set(variant, fresh);
  }
  const { hits, validations, renderings } = counters();
  assert.ok(hits > 0 && validations > 0 && renderings > 0, JSON.stringify(counters()));
});

test("CACHE-1 a page is never older than a write that was answered before the request", async () => {
  await createObject(ctx, "posts", { id: "counted", title: "0", status: "counted", count: 0 });
  const site: Site = new Map([
    ["/one", [{ kind: "get", collection: "posts", id: "counted", read: ["count"] }]],
    ["/all", [{ kind: "query", collection: "posts", status: "counted", limit: 5, isCounted: true, read: ["count"] }]],
  ]);
  const answer = siteAnswers(ctx, site);
  let answered = 0;
  let isOver = false;
  async function readAgain(path: string): Promise<void> {
    while (!isOver) {
      const least = answered;
      const shown = Number(/\[(\d+)\]/.exec(await ask(answer, path))?.[1]);
      assert.ok(shown >= least, `${path} shows ${shown}, and ${least} was answered before`);
      await new Promise(setImmediate);
    }
  }
  async function write(): Promise<void> {
    for (let count = 1; count <= 150; count += 1) {
      await patchObject(ctx, "posts", "counted", { body: { count } });
      answered = count;
    }
    isOver = true;
  }
  await Promise.all([write(), ...["/one", "/all", "/one", "/all"].map(readAgain)]);
  for (const path of site.keys()) assert.match(await ask(answer, path), /\[150\]/);
});

test("CACHE-3 only parameters that a page reads make another copy, and at most 100 are kept", async () => {
  const { answer, made } = page((_recorder, { query }) => query.get("page"));
  for (const search of ["", "?utm_source=x", "?utm_source=y&b=1", "?page=2", "?page=2&utm_source=z"])
    await ask(answer, `/variants${search}`);
  assert.equal(made.count, 2);
  for (let n = 0; n < 120; n += 1) await ask(answer, `/variants?page=${n}`);
  const before = made.count;
  await ask(answer, "/variants?page=119");
  assert.equal(made.count, before);
  await ask(answer, "/variants?page=3");
  assert.equal(made.count, before + 1);
});

test("CACHE-4 what is for one visitor, must not be kept or has gone wrong is made for each request", async () => {
  const pages: [string, ReturnType<typeof page>, string][] = [
    ["/visitor", page((_recorder, request) => request.visitor()), "private, no-store"],
    ["/groups", page(() => "x", { isPrivate: true }), "private, no-store"],
    ["/never", page((recorder) => recorder.never()), "no-store"],
    ["/request-id", page((_recorder, request) => request.requestId), "no-store"],
    ["/wrong", page(() => "x", { status: 500 }), "no-store"],
  ];
  for (const [path, { answer, made }, control] of pages) {
    for (const round of [1, 2]) {
      const sent = await servePage(ctx, pageRequest(path), answer);
      assert.equal(sent.headers["cache-control"], control, path);
      assert.equal(sent.etag, undefined, path);
      assert.equal(made.count, round, path);
    }
  }
  const { answer, made } = page(() => "x", { headers: { "set-cookie": "a=b" } });
  const preview = { token: "t", values: new Map(), templates: new Map(), showsDrafts: () => true, showsErrors: false };
  for (const more of [{ preview }, { sentForm: { form: "a/b", values: {}, errors: {} } }, { method: "POST" as const }])
    assert.equal(
      (await servePage(ctx, { ...pageRequest("/kept"), ...more }, answer)).headers["cache-control"],
      "no-store",
    );
  assert.equal(made.count, 3);
  const kept = await servePage(ctx, pageRequest("/kept"), answer);
  assert.deepEqual(kept.headers, { "cache-control": "public, max-age=0, must-revalidate" });
  assert.equal(await servePage(ctx, { ...pageRequest("/kept"), method: "HEAD" }, answer), kept);
});

test("CACHE-5 a page that read the time ends, and one whose time alone decides is kept for so long", async () => {
  const timed = page((recorder) => {
    recorder.object(someObject);
    recorder.timed(30);
  });
  const ending = page((recorder) => recorder.expires(60));
  await ask(timed.answer, "/timed");
  await ask(ending.answer, "/ending");
  await createObject(ctx, "posts", { id: "timed", title: "x" });
  now += 29_000;
  await ask(timed.answer, "/timed");
  await ask(ending.answer, "/ending");
  assert.deepEqual([timed.made.count, ending.made.count], [1, 1]);
  now += 2_000;
  await ask(timed.answer, "/timed");
  assert.deepEqual([timed.made.count, ending.made.count], [2, 1]);
  now += 30_000;
  await ask(ending.answer, "/ending");
  assert.deepEqual([timed.made.count, ending.made.count], [2, 2]);
});

const someObject = { collection: "posts", id: "gone", rev: "0-0", document: {}, properties: new Set<string>() };

test("CACHE-6 a page is rendered once however many ask for it, and again for those that came after a write", async () => {
  await createObject(ctx, "posts", { id: "flown", title: "first" });
  const site: Site = new Map([["/flown", [{ kind: "get", collection: "posts", id: "flown", read: ["title"] }]]]);
  const render = siteAnswers(ctx, site);
  const gates: (() => void)[] = [];
  const answer: AnswerPage = async (request, recorder) => {
    const made = await render(request, recorder);
    await new Promise<void>((open) => gates.push(open));
    return made;
  };
  const early = [1, 2, 3].map(() => ask(answer, "/flown"));
  while (gates.length === 0) await new Promise(setImmediate);
  await patchObject(ctx, "posts", "flown", { body: { title: "second" } });
  const late = [1, 2, 3].map(() => ask(answer, "/flown"));
  gates.shift()?.();
  for (const text of await Promise.all(early.slice(0, 1))) assert.match(text, /first/);
  while (gates.length === 0) await new Promise(setImmediate);
  assert.equal(gates.length, 1);
  gates.shift()?.();
  for (const text of await Promise.all(late)) assert.match(text, /second/);
  await Promise.all(early);
  assert.equal(gates.length, 0);
});

test("CACHE-7 an old page is sent while a new one is rendered, for as long as site.stale allows", async () => {
  await createObject(ctx, "posts", { id: "late", title: "first" });
  const site: Site = new Map([["/late", [{ kind: "get", collection: "posts", id: "late", read: ["title"] }]]]);
  const answer = siteAnswers(ctx, site);
  const get = ctx.settings.get.bind(ctx.settings);
  ctx.settings = {
    ...ctx.settings,
    get: ((name: never) => (name === "site.stale" ? "PT10S" : get(name))) as typeof get,
  };
  await ask(answer, "/late");
  await patchObject(ctx, "posts", "late", { body: { title: "second" } });
  now += 9_000;
  assert.match(await ask(answer, "/late"), /first/);
  while (!/second/.test(await ask(answer, "/late"))) await new Promise(setImmediate);
  await patchObject(ctx, "posts", "late", { body: { title: "third" } });
  now += 11_000;
  assert.match(await ask(answer, "/late"), /third/);
  ctx.settings = { ...ctx.settings, get };
});

test("CACHE-16 a fragment is rendered again only when something that it has read has changed", async () => {
  const folder = join(ctx.settings.dataDir, "builder");
  for (const name of ["pages", "partials"]) mkdirSync(join(folder, name), { recursive: true });
  await createCollection(ctx, { id: "shown", schema: "posts", onSite: true });
  await createObject(ctx, "shown", { id: "fragment", title: "One", body: "x" });
  const text = '{% fragment "a" %}{% get p from "shown", "fragment" %}{{ p.title }}{% endfragment %}';
  writeFileSync(join(folder, "partials", "shared.liquid"), text);
  writeFileSync(join(folder, "pages", "shares.liquid"), '{% layout none %}{% render "shared" %}');
  const reads = async () => {
    let objects = 0;
    let parts = 0;
    const recorder: Recorder = { ...noRecorder, object: () => void objects++, include: () => void parts++ };
    const values = { template: "pages/shares", kind: "html", params: {} };
    const rendered = await createRenderPage(ctx)(values, pageRequest("/x"), recorder);
    return [rendered.kind === "page" && rendered.body, objects, parts];
  };
  assert.deepEqual(await reads(), ["One", 1, 0]);
  assert.deepEqual(await reads(), ["One", 0, 1]);
  await patchObject(ctx, "shown", "fragment", { body: { body: "y" } });
  assert.deepEqual(await reads(), ["One", 0, 1]);
  await patchObject(ctx, "shown", "fragment", { body: { title: "Two" } });
  assert.deepEqual(await reads(), ["Two", 1, 0]);
  await deleteObject(ctx, "shown", "fragment", {});
  assert.deepEqual(await reads(), ["", 0, 0]);
  assert.deepEqual(await reads(), ["", 0, 1]);
});
