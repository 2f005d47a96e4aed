// The client package against a real server: objects, errors as values, files, repeated tries, credentials.

import assert from "node:assert/strict";
import { execFile, spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { promisify } from "node:util";
import { type Client, createClient } from "../../../client/src/client.ts";
import type { AnyObject, ClientOptions } from "../../../client/src/types.ts";
import { root, type Server, startServer } from "../../harness.ts";
import { picture } from "../../support/sample-files.ts";
import { makeUser, signIn } from "../../support/sign-in.ts";

interface Collections {
  recipes: {
    id: string;
    title: string;
    minutes?: number;
    tags?: string[];
    author?: string;
    steps?: { id: string; text?: string; helper?: string }[];
    cover?: { url: string; width: number };
    papers?: unknown;
    paper?: { name: string; size: number };
    created?: string;
    modified?: string;
  };
  authors: { id: string; name: string };
}

let server: Server;
let cairn: Client<Collections>;
const clientOf = (options: Partial<ClientOptions> = {}) =>
  createClient<Collections>({ url: server.url, auth: { key: server.key }, ...options });

before(async () => {
  server = await startServer();
  await server.makeSchema({
    id: "author",
    properties: { id: { type: "slug" }, name: { type: "string" } },
    required: ["name"],
    index: ["name"],
  });
  const author = {
    type: "string",
    field: "select",
    settings: { relationalOptions: { collection: "authors", label: "name" } },
  };
  await server.makeSchema({
    id: "step",
    properties: { text: { type: "string" }, helper: author },
    required: [],
    index: [],
  });
  await server.makeSchema({
    id: "ingredient",
    properties: { name: { type: "string" }, product: { type: "string" } },
    required: [],
    index: [],
  });
  await server.makeSchema({
    id: "recipe",
    properties: {
      ...{ id: { type: "slug" }, title: { type: "string" }, minutes: { type: "number" }, tags: { type: "list" } },
      ...{ summary: { type: "string" }, course: { type: "string" } },
      ingredients: { type: "deck", schemaref: "ingredient" },
      ...{ author, steps: { type: "deck", schemaref: "step" }, cover: { type: "image" }, paper: { type: "file" } },
    },
    required: ["title"],
    index: ["title", "minutes", "tags"],
  });
  await server.makeCollection({ id: "authors", schema: "author" });
  await server.makeCollection({ id: "recipes", schema: "recipe", publicOperations: ["read"] });
  cairn = clientOf();
});
after(() => server.stop());

test("CLIENT-1, CLIENT-2 objects come and go, and errors are values", async () => {
  const recipes = cairn.collection("recipes");
  const made = await recipes.create({ title: "Pie", minutes: 40 });
  assert.ok(made.ok);
  const { id } = made.data;
  const read = await recipes.get(id);
  assert.ok(read.ok && read.etag);
  assert.equal(read.data.minutes, 40);
  const patched = await recipes.patch(id, { minutes: null, tags: ["a"] }, { ifMatch: read.etag });
  assert.ok(patched.ok);
  assert.deepEqual([patched.data.minutes ?? null, patched.data.tags], [null, ["a"]]);
  const late = await recipes.patch(id, { title: "x" }, { ifMatch: read.etag });
  assert.deepEqual([late.ok, late.error?.status, late.error?.kind], [false, 412, "refused"]);
  const replaced = await recipes.replace(id, { title: "Cake" });
  assert.equal(replaced.data?.title, "Cake");
  const wrong = await recipes.create({ title: "", minutes: "many" as unknown as number });
  assert.equal(wrong.error?.status, 400);
  assert.deepEqual(Object.keys(wrong.error?.details ?? {}).sort(), ["minutes", "title"]);
  assert.ok(wrong.error?.requestId);
  assert.ok((await recipes.delete(id)).ok);
  assert.equal((await recipes.get(id)).error?.status, 404);
  const closed = await createClient<Collections>({ url: "http://127.0.0.1:1", retries: 0 })
    .collection("recipes")
    .list();
  assert.deepEqual([closed.ok, closed.error?.status, closed.error?.kind], [false, 0, "network"]);
  // @ts-expect-error there is no such collection
  cairn.collection("nosuch");
  // @ts-expect-error a title is needed
  await recipes.create({ minutes: 1 }, { signal: AbortSignal.abort() });
  const other = await cairn.request<{ schemas: { name: string }[] }>({ method: "GET", path: "/api/schemas" });
  assert.ok(other.data?.schemas.some(({ name }) => name === "recipe"));
});

test("CLIENT-3, CLIENT-4 selections find objects page by page", async () => {
  const recipes = cairn.collection("recipes");
  for (let n = 1; n <= 5; n += 1)
    await recipes.create({ id: `r${n}`, title: `R${n}`, minutes: n * 10, tags: ["x, y"] });
  const few = await recipes.query().where("minutes", { gt: 10, lte: 40 }).sort("-minutes").list();
  assert.deepEqual([few.data?.map(({ id }) => id), few.ok && few.total], [["r4", "r3", "r2"], 3]);
  assert.equal((await recipes.query().where("title", "R3").first()).data?.id, "r3");
  const idsOf = async (selection: ReturnType<typeof recipes.query>) => {
    const found = await selection.sort("title").list();
    assert.ok(found.ok, JSON.stringify(found.error));
    return found.data.map(({ id }) => id);
  };
  const either = recipes.query().or(
    (one) => one.where("minutes", { lt: 20 }),
    (one) => one.where("minutes", { gt: 30 }).not((no) => no.where("title", "R5")),
  );
  assert.deepEqual(await idsOf(either), ["r1", "r4"]);
  assert.deepEqual(await idsOf(either.where("tags", { in: ["x, y"] }).where("title", { in: ["R1", "R2"] })), ["r1"]);
  assert.deepEqual(await idsOf(either.not((no) => no.where("minutes", 10))), ["r4"]);
  assert.equal((await recipes.query().where("title", "none").first()).data, undefined);
  const seen: string[][] = [];
  for await (const page of recipes.query().sort("title").limit(2).pages()) {
    assert.ok(page.ok);
    seen.push(page.data.map(({ id }) => id));
  }
  assert.deepEqual(seen, [["r1", "r2"], ["r3", "r4"], ["r5"]]);
  const refused = [];
  for await (const page of recipes.query().where("nosuch.path", 1).pages()) refused.push(page.error?.status);
  assert.deepEqual(refused, [400]);
});

test("CLIENT-5 related objects stand in the place of their ids", async () => {
  const recipes = cairn.collection("recipes");
  await cairn.collection("authors").create({ id: "ada", name: "Ada" });
  await recipes.create({
    ...{ id: "soup", title: "Soup", author: "ada" },
    steps: [
      { id: "s1", text: "Boil", helper: "ada" },
      { id: "s2", text: "Serve" },
    ],
  });
  const read = await recipes.get("soup", { expand: ["author", "steps.helper"] });
  assert.ok(read.ok);
  const nameOf = (related: AnyObject | string | undefined) => typeof related === "object" && related.name;
  assert.equal(nameOf(read.data.author), "Ada");
  assert.equal(nameOf(read.data.steps?.[0]?.helper), "Ada");
  const listed = await recipes.query().where("title", "Soup").expand("author").list();
  assert.equal(nameOf(listed.data?.[0]?.author), "Ada");
  // The public may not read authors: the id stays.
  const visitor = createClient<Collections>({ url: server.url }).collection("recipes");
  const seen = await visitor.get("soup", { expand: ["author"] });
  assert.equal(seen.data?.author, "ada");
});

test("CLIENT-6 files go up in pieces with progress, and images come in every size", async () => {
  const recipes = cairn.collection("recipes");
  await recipes.create({ id: "cake", title: "Cake" });
  const steps: number[] = [];
  const text = "0123456789".repeat(100);
  const sent = await recipes.upload("cake", "paper", new File([text], "notes.txt"), {
    pieceSize: 400,
    onProgress: ({ sent: done, total }) => steps.push(done / total),
  });
  assert.ok(sent.ok, JSON.stringify(sent.error));
  assert.deepEqual(steps, [0.4, 0.8, 1]);
  assert.equal(sent.data.paper?.size, 1_000);
  const kept = await fetch(cairn.download("recipes", "cake", "paper"), { headers: { "x-api-key": server.key } });
  assert.equal(await kept.text(), text);
  const bytes = new Uint8Array(await picture(60, 40));
  const drawn = await recipes.upload("cake", "cover", new Blob([bytes]), { name: "cake.jpg" });
  assert.ok(drawn.data?.cover, JSON.stringify(drawn.error));
  const small = await fetch(cairn.image(drawn.data.cover, { w: 30, format: "webp" }));
  assert.deepEqual([small.status, small.headers.get("content-type")], [200, "image/webp"]);
  assert.match(cairn.srcset(drawn.data.cover, { widths: [10, 20] }), /w=10 10w, .*w=20 20w$/);
  const wrong = await recipes.upload("cake", "cover", new Blob(["no picture"]), { name: "x.png" });
  assert.deepEqual([wrong.ok, wrong.error?.status, typeof wrong.error?.message], [false, 400, "string"]);
  assert.ok((await recipes.removeFile("cake", "paper")).ok);
});

test("CLIENT-7 CLIENT-10 lost requests are sent again only when they may arrive twice, until they are aborted", async () => {
  const lost: string[] = [];
  let losses = 0;
  /** Loses answers, not requests: the worst that a network does. */
  const flaky: typeof fetch = async (input, init) => {
    const answer = await fetch(input, init);
    if (losses-- <= 0) return answer;
    lost.push(init?.method ?? "GET");
    await answer.arrayBuffer();
    throw new TypeError("the connection was lost");
  };
  const recipes = clientOf({ fetch: flaky }).collection("recipes");
  const losing = async <T>(count: number, work: () => Promise<T>): Promise<T> => {
    losses = count;
    lost.length = 0;
    return work();
  };
  await recipes.create({ id: "once", title: "Once" });
  assert.ok((await losing(2, () => recipes.get("once"))).ok);
  assert.deepEqual(lost, ["GET", "GET"]);
  assert.equal((await losing(9, () => recipes.get("once"))).error?.kind, "network");
  assert.equal(lost.length, 3);
  const twice = await losing(1, () => recipes.create({ title: "Twice" }));
  assert.deepEqual([twice.error?.kind, lost], ["network", ["POST"]]);
  assert.equal((await losing(1, () => recipes.patch("once", { minutes: 1 }))).error?.kind, "network");
  losses = 0;
  assert.equal((await recipes.query().where("title", "Twice").list()).data?.length, 1);
  assert.ok((await losing(1, () => recipes.replace("once", { title: "Put" }))).ok);
  assert.ok((await losing(1, () => recipes.delete("once"))).ok);
  assert.deepEqual(lost, ["DELETE"]);
  const keyed = await losing(2, () => recipes.create({ title: "Keyed" }, { idempotencyKey: "k-1" }));
  assert.deepEqual([keyed.ok, lost], [true, ["POST", "POST"]]);
  assert.equal((await recipes.query().where("title", "Keyed").list()).data?.length, 1);
  const stop = new AbortController();
  const waiting = losing(9, () => recipes.get("r1", { signal: stop.signal }));
  stop.abort();
  assert.equal((await waiting).error?.kind, "aborted");
});

test("CLIENT-8 a key, a token or a session says who calls", async () => {
  await makeUser(server, "root", ["admin"]);
  const person = await signIn(server, "root");
  const withCookie: typeof fetch = (input, init) => {
    const headers = new Headers(init?.headers);
    if (init?.credentials === "include") headers.set("cookie", person.cookie);
    return fetch(input, { ...init, headers });
  };
  const bySession = clientOf({ auth: { session: true }, fetch: withCookie }).collection("recipes");
  assert.ok((await bySession.create({ title: "By session" })).ok);
  const byKey = await clientOf({ fetch: withCookie }).collection("recipes").create({ title: "By key" });
  assert.ok(byKey.ok);
  const byToken = clientOf({ auth: { token: async () => server.key } }).collection("recipes");
  assert.ok((await byToken.create({ title: "By token" })).ok);
  assert.equal(
    (
      await clientOf({ auth: { key: "wrong" } })
        .collection("recipes")
        .list()
    ).error?.status,
    401,
  );
});

test("CLIENT-9 the code of the guide compiles with the types of a site", async () => {
  const { text } = await server.request("GET", "/api/types.d.ts");
  const page = readFileSync(join(root, "docs", "guides", "client.md"), "utf8");
  const blocks = [...page.matchAll(/^```ts\n(.*?)^```/gms)].map(([, block]) => block);
  const folder = mkdtempSync(join(root, "client", "guide-"));
  try {
    writeFileSync(join(folder, "cairn-types.d.ts"), text);
    const code = blocks
      .join("\n")
      .replace("@cairn/client", "../src/client.ts")
      .replace("./cairn-types", "./cairn-types.d.ts");
    writeFileSync(join(folder, "guide.ts"), code);
    const flags = ["--noEmit", "--strict", "--module", "nodenext", "--target", "esnext", "--skipLibCheck"];
    const more = ["--allowImportingTsExtensions", "--types", "", "--lib", "esnext,dom", "--ignoreConfig"];
    const tsc = join(root, "node_modules", ".bin", "tsc");
    const run = spawnSync(process.execPath, [tsc, ...flags, ...more, join(folder, "guide.ts")], { encoding: "utf8" });
    assert.equal(run.status, 0, run.stdout + run.stderr);
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test("CLIENT-9 the example for Node runs as it is", async () => {
  const env = { ...server.env, CAIRN_URL: server.url, CAIRN_KEY: server.key };
  const script = join(root, "examples", "node-script", "recipes.ts");
  const { stdout } = await promisify(execFile)(process.execPath, [script], { env });
  assert.match(stdout, /^pancakes takes 20 minutes\.\n.*- Pancakes\n.*Refused: \{"title":/s);
});
