// What the admin does to many objects, and around one: bulk changes, options, presence.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { type Answer, type Server, startServer } from "../../harness.ts";
import { makeUser, type Person, signIn } from "../../support/sign-in.ts";

let server: Server;
let editor: Person;
let viewer: Person;

before(async () => {
  // Jobs wait until the test lets them run.
  server = await startServer({ settings: { jobs: { runInServer: false } } });
  await server.makeSchema({
    id: "stone",
    properties: {
      title: { type: "string", field: "text" },
      weight: { type: "number", field: "number", maximum: 100 },
      code: { type: "string", field: "text", unique: true },
      tags: { type: "list", field: "list" },
      photo: { type: "image", field: "image" },
      draft: { type: "boolean", field: "toggle" },
    },
    required: ["id", "title"],
    index: ["id", "title", "weight", "tags"],
  });
  for (const [id, group] of [
    ["ed", "editor"],
    ["vi", "viewer"],
  ] as const)
    await makeUser(server, id, [group]);
  [editor, viewer] = await Promise.all([signIn(server, "ed"), signIn(server, "vi")]);
});
after(() => server.stop());

/** A collection of its own, with objects `s001` and so on. */
async function makeStones(id: string, count: number, settings = {}): Promise<string[]> {
  await server.makeCollection({ id, schema: "stone", ...settings });
  const names = Array.from({ length: count }, (_, at) => `s${String(at + 1).padStart(3, "0")}`);
  const body = names.map((name, at) => ({ id: name, title: `Stone ${at + 1}`, weight: at % 3 }));
  if (count > 0)
    assert.equal((await server.request("POST", `/api/import/collections/${id}/json`, { body })).status, 200);
  return names;
}

type Asker = Pick<Server, "request">;
const bulk = (collection: string, body: unknown, who: Asker = server): Promise<Answer> =>
  who.request("POST", `/api/bulk/${collection}`, { body });
const listOf = async (collection: string, query = "") =>
  (await server.request("GET", `/api/collections/${collection}?limit=100&sort=id&order=asc&${query}`)).body.data;
const countOf = async (collection: string, query = "") =>
  Number((await server.request("GET", `/api/collections/${collection}?limit=1&${query}`)).headers.get("x-total-count"));
const jobOf = async (job: string, who: Asker = server) => (await who.request("GET", `/api/jobs/${job}`)).body.data;

test("ADM-60 a patch by ids changes each object as a PATCH does; one that fails is reported, the others are done", async () => {
  const ids = await makeStones("few", 4);
  await server.request("PATCH", "/api/collections/few/s004", { body: { code: "x1" } });
  const before = (await listOf("few"))[0];
  const answer = await bulk("few", {
    operation: "patch",
    ids: [...ids.slice(0, 3), "missing", "s001"],
    expect: 4,
    body: { weight: "7", tags: ["new"] },
  });
  assert.equal(answer.status, 200);
  assert.equal(answer.body.data.done, 3);
  assert.deepEqual(
    answer.body.data.failed.map(({ id }: { id: string }) => id),
    ["missing"],
  );
  assert.match(answer.body.data.failed[0].message, /no object "missing"/);
  const changed = (await listOf("few"))[0];
  assert.deepEqual([changed.weight, changed.tags, changed.title], [7, ["new"], "Stone 1"]);
  assert.ok(changed.modified > before.modified);

  const double = await bulk("few", { operation: "patch", ids: ids.slice(0, 2), expect: 2, body: { code: "y2" } });
  assert.equal(double.body.data.done, 1);
  assert.match(double.body.data.failed[0].details.code[0], /unique/);
});

test("ADM-61 a delete by a selection takes search and filter as lists do", async () => {
  await makeStones("picked", 9);
  const select = { search: "stone", filter: { weight: { gte: 1 }, tags: { empty: true } } };
  const { status, body } = await bulk("picked", { operation: "delete", select, expect: 6 });
  const { done, failed } = body.data;
  assert.deepEqual([status, done, failed], [200, 6, []]);
  assert.deepEqual(
    (await listOf("picked")).map(({ weight }: { weight: number }) => weight),
    [0, 0, 0],
  );
  const bad = await bulk("picked", { operation: "delete", select: { filter: { nothing: "x" } }, expect: 1 });
  assert.deepEqual([bad.status, Object.keys(bad.body.error.details)], [400, ["filter"]]);
  const all = await bulk("picked", { operation: "delete", select: {}, expect: 3 });
  assert.equal(all.body.data.done, 3);
  const none = await bulk("picked", { operation: "delete", select: {}, expect: 0 });
  assert.deepEqual([none.body.data.done, none.body.data.failed], [0, []]);
});

test("ADM-62 when the real number is not the expected one, the answer is 412 with that number, and nothing changes", async () => {
  await makeStones("counted", 3);
  for (const chosen of [{ select: {} }, { ids: ["s001", "s002", "s003", "s001"] }]) {
    const { status, body } = await bulk("counted", { operation: "delete", ...chosen, expect: 4 });
    assert.deepEqual([status, body.error.details], [412, { expect: ["3"] }]);
  }
  assert.equal(await countOf("counted"), 3);
});

test("ADM-63 bad requests are 400 and name what is wrong", async () => {
  await makeStones("strict", 2);
  const right = { operation: "patch", ids: ["s001"], expect: 1, body: { title: "x" } };
  for (const [name, request] of [
    ["operation", { ...right, operation: "put" }],
    ["operation", { ...right, operation: undefined }],
    ["expect", { ...right, expect: undefined }],
    ["expect", { ...right, expect: "1" }],
    ["expect", { ...right, expect: -1 }],
    ["expect", { ...right, expect: 1.5 }],
    ["ids", { ...right, ids: undefined }],
    ["ids", { ...right, select: {} }],
    ["ids", { ...right, ids: [] }],
    ["ids", { ...right, ids: "s001" }],
    ["ids", { ...right, ids: [1] }],
    ["ids", { ...right, ids: ["a\0b"] }],
    ["ids", { ...right, ids: ["x".repeat(501)] }],
    ["ids", { ...right, ids: Array.from({ length: 10_001 }, (_, at) => `i${at}`), expect: 10_001 }],
    ["select", { ...right, ids: undefined, select: [] }],
    ["select", { ...right, ids: undefined, select: { search: 1 } }],
    ["select", { ...right, ids: undefined, select: { filter: "x" } }],
    ["filter", { ...right, ids: undefined, select: { filter: { title: ["a"] } } }],
    ["search", { ...right, ids: undefined, select: { search: "x".repeat(1_001) } }],
    ["body", { ...right, body: undefined }],
    ["body", { ...right, body: [] }],
    ["body", { ...right, body: {} }],
    ["body", { ...right, operation: "delete" }],
  ] as [string, unknown][]) {
    const { status, body } = await bulk("strict", request);
    assert.deepEqual(
      [status, Object.keys(body.error.details ?? {})],
      [400, [name]],
      JSON.stringify(request).slice(0, 100),
    );
  }
  assert.equal((await bulk("strict", [])).status, 400);
  assert.equal((await bulk("nowhere", right)).status, 404);
  assert.equal((await listOf("strict"))[0].title, "Stone 1");
});

test("ADM-64 a body that is wrong for every object is 400 at once, naming the properties", async () => {
  await makeStones("general", 2);
  const patch = (body: unknown) => bulk("general", { operation: "patch", select: {}, expect: 2, body });
  for (const [names, body] of [
    [["nothing"], { nothing: 1, title: "x" }],
    [["id"], { id: "other" }],
    [["created", "modified"], { created: "2020-01-01", modified: "2020-01-01" }],
    [["weight"], { weight: 101 }],
    [["weight"], { weight: "heavy", tags: ["a"] }],
    [["title"], { title: "" }],
    [["title"], { title: null }],
  ] as [string[], unknown][]) {
    const answer = await patch(body);
    assert.deepEqual([answer.status, Object.keys(answer.body.error.details)], [400, names], JSON.stringify(body));
  }
  assert.deepEqual((await patch({ photo: { alt: "x" }, draft: true })).body.data.done, 2);
});

test("ADM-65 a bulk change takes the right of the single operation, and never comes without credentials", async () => {
  await makeStones("guarded", 2, { publicOperations: ["update", "delete", "read"] });
  await makeStones("closed", 2);
  const patch = { operation: "patch", ids: ["s001"], expect: 1, body: { title: "new" } };
  const remove = { operation: "delete", ids: ["s002"], expect: 1 };
  const nobody = {
    request: (method: string, path: string, options = {}) => server.request(method, path, { ...options, key: null }),
  };
  assert.equal((await bulk("guarded", patch, nobody)).status, 401);
  assert.equal((await bulk("closed", patch, viewer)).status, 403);
  assert.equal((await bulk("auth", { ...patch, ids: ["vi"] }, viewer)).status, 403);
  const keyed = (methods: string[]) => server.makeKey({ methods, endpoints: ["*"] });
  for (const [methods, body, status] of [
    [["GET", "POST"], patch, 401],
    [["GET", "POST"], remove, 401],
    [["POST", "PATCH"], patch, 200],
    [["POST", "PATCH"], remove, 401],
    [["POST", "DELETE"], remove, 200],
  ] as [string[], unknown, number][]) {
    const { key } = await keyed(methods);
    const answer = await server.request("POST", "/api/bulk/closed", { body, key });
    assert.equal(answer.status, status, `${methods} ${JSON.stringify(body)}`);
  }
  const { key } = await server.makeKey({ methods: ["POST", "PATCH"], endpoints: ["/collections/closed"] });
  assert.equal((await server.request("POST", "/api/bulk/closed", { body: patch, key })).status, 401);
  assert.equal((await bulk("closed", patch, editor)).status, 200);
});

test("ADM-65 users obey their own rules", async () => {
  await makeUser(server, "mo", ["viewer"]);
  const lock = await bulk("auth", { operation: "patch", ids: ["mo"], expect: 1, body: { active: false } });
  assert.deepEqual(lock.body.data, { done: 1, failed: [] });
  const { body } = await bulk("auth", {
    operation: "patch",
    ids: ["mo"],
    expect: 1,
    body: { email: "ed@example.test" },
  });
  assert.deepEqual([body.data.done, body.data.failed[0].id], [0, "mo"]);
});

test("ADM-66, ADM-67, ADM-68, ADM-69 above 100 objects a job changes those that were selected, as its author still may", async () => {
  await makeStones("many", 130);
  const body = { weight: 50, tags: ["done"] };
  const select = { filter: { weight: { lt: 10 } } };
  const accepted = await bulk("many", { operation: "patch", select, expect: 130, body }, editor);
  const { job } = accepted.body.data;
  assert.deepEqual([accepted.status, Object.keys(accepted.body.data)], [202, ["job"]]);
  assert.ok(accepted.headers.get("location")?.endsWith(`/api/jobs/${job}`));
  await server.request("POST", "/api/collections/many", { body: { id: "later", title: "Stone later", weight: 1 } });

  await makeStones("removed", 131);
  const ids = Array.from({ length: 105 }, (_, at) => `s${String(at + 100).padStart(3, "0")}`);
  const removal = await bulk("removed", { operation: "delete", ids, expect: 105 });

  await makeStones("revoked", 120);
  await makeUser(server, "gone", ["editor"]);
  const refused = await bulk("revoked", { operation: "delete", select: {}, expect: 120 }, await signIn(server, "gone"));
  await server.request("PATCH", "/api/collections/auth/gone", { body: { groups: ["viewer"] } });

  assert.equal((await jobOf(job, editor)).status, "queued");
  assert.equal((await server.cli(["automations:process"])).code, 0);

  const patched = await jobOf(job, editor);
  assert.deepEqual([patched.kind, patched.subject, patched.error], ["bulk", "many", null]);
  assert.deepEqual([patched.status, patched.result], ["succeeded", { done: 130, failed: [] }]);
  assert.deepEqual(patched.progress, { done: 130, total: 130 });
  assert.equal(await countOf("many", "filter[weight]=50&filter[tags]=done"), 130);
  assert.equal((await server.request("GET", "/api/collections/many/later")).body.data.weight, 1);
  assert.doesNotMatch(JSON.stringify(patched), /author|sealed/);
  assert.equal((await viewer.request("GET", `/api/jobs/${job}`)).status, 403);
  assert.equal((await editor.request("GET", "/api/jobs")).status, 403);

  const { result } = await jobOf(removal.body.data.job);
  assert.deepEqual([result.done, result.failed.length, result.failed[0].id], [32, 73, "s132"]);
  assert.equal(await countOf("removed"), 99);

  const { status, error } = await jobOf(refused.body.data.job);
  assert.deepEqual([status, error], ["failed", "Access denied"]);
  assert.equal(await countOf("revoked"), 120);
});

const options = (source: string, who: Asker = server) => who.request("GET", `/api/options/${source}`);
const valuesOf = async (source: string, who: Asker = server) =>
  (await options(source, who)).body.data.map(({ value, count }: { value: string; count?: number }) => [value, count]);

test("ADM-71 the values of an indexed property come with their counts, the most frequent first", async () => {
  await makeStones("worth", 0, { publicOperations: ["read"] });
  const stones = [
    { title: "Flint", weight: 2, tags: ["Red", "hard"] },
    { title: "Slate", weight: 2.5, tags: ["red", "Ärmel"] },
    { title: "flint", weight: 2, tags: ["hard"] },
    { title: "x".repeat(201), tags: [] },
    { title: "Flint", weight: 9, tags: ["hard", "100%"], draft: true },
  ];
  for (const [at, body] of stones.entries())
    await server.request("POST", "/api/collections/worth", { body: { id: `w${at}`, ...body } });
  const of = (property: string, more = "", who?: Asker) =>
    valuesOf(`values?collection=worth&property=${property}${more}`, who);
  assert.deepEqual(await of("title"), [
    ["Flint", 2],
    ["Slate", 1],
    ["flint", 1],
  ]);
  assert.deepEqual(await of("weight"), [
    ["2", 2],
    ["2.5", 1],
    ["9", 1],
  ]);
  assert.deepEqual(await of("tags"), [
    ["hard", 3],
    ["100%", 1],
    ["Red", 1],
    ["red", 1],
    ["Ärmel", 1],
  ]);
  assert.deepEqual(await of("tags", "&search=RED"), [
    ["Red", 1],
    ["red", 1],
  ]);
  assert.deepEqual(await of("tags", "&search=%C3%A4rm"), [["Ärmel", 1]]);
  assert.deepEqual(await of("tags", "&search=0%25"), [["100%", 1]]);
  assert.deepEqual(await of("tags", "&limit=1"), [["hard", 3]]);
  await server.request("DELETE", "/api/collections/worth/w1");
  assert.deepEqual(await of("weight", "", viewer), [
    ["2", 2],
    ["9", 1],
  ]);

  // A caller that may read only because the public may sees no drafts.
  await server.request("POST", "/api/access-groups", { body: { id: "outside" } });
  await makeUser(server, "out", ["outside"]);
  assert.deepEqual(await of("weight", "", await signIn(server, "out")), [["2", 2]]);
  for (const [name, query] of [
    ["collection", "property=title"],
    ["property", "collection=worth"],
    ["property", "collection=worth&property=nothing"],
    ["property", "collection=worth&property=code"],
    ["property", "collection=worth&property=photo"],
    ["property", "collection=worth&property=created"],
    ["limit", "collection=worth&property=title&limit=0"],
    ["search", `collection=worth&property=title&search=${"x".repeat(201)}`],
  ] as const) {
    const { status, body } = await options(`values?${query}`);
    assert.deepEqual([status, Object.keys(body.error.details ?? {})], [400, [name]], query);
  }
  assert.equal((await options("values?collection=nowhere&property=title")).status, 404);
});

test("ADM-72 other sources take the right to read their things; an unknown one is 404 and names those there are", async () => {
  const unknown = await options("nothing");
  assert.equal(unknown.status, 404);
  assert.match(unknown.body.error.message, /values, groups, timezones/);
  assert.deepEqual((await options("timezones?search=new%20york")).body.data, [
    { value: "America/New_York", label: "America/New York" },
  ]);
  assert.deepEqual((await options("locales?search=deutsch", viewer)).body.data, [
    { value: "de", label: "German (Deutsch)" },
  ]);
  assert.equal((await options("timezones?limit=1000")).body.data.length > 300, true);
  assert.deepEqual((await options("groups?search=view")).body.data, [{ value: "viewer", label: "viewer" }]);
  await makeStones("chosen", 2, { name: "Chosen stones" });
  assert.deepEqual((await options("collections?search=chosen", viewer)).body.data, [
    { value: "chosen", label: "Chosen stones", count: 2 },
  ]);
  assert.deepEqual(await valuesOf("schemas?search=stone"), [["stone", undefined]]);
  for (const [source, status] of [
    ["groups", 403],
    ["schemas", 403],
    ["templates", 403],
    ["views", 403],
  ] as const)
    assert.equal((await options(source, viewer)).status, status, source);
  for (const source of ["templates", "views"]) assert.equal((await options(source)).status, 200, source);
  const nobody = await server.request("GET", "/api/options/timezones", { key: null });
  assert.equal(nobody.status, 401);
});

test("ADM-73, ADM-74 users see who else has an object open, and the object's present version", async () => {
  await makeStones("seen", 1);
  const path = "/api/presence/seen/s001";
  const put = async (who: Asker, editing: unknown = false) =>
    (await who.request("PUT", path, { body: { editing } })).body;
  const first = await put(editor);
  const object = await server.request("GET", "/api/collections/seen/s001");
  assert.deepEqual(first.data, {
    others: [],
    etag: object.headers.get("etag"),
    modified: object.body.data.modified,
  });
  const other = (await put(viewer)).data.others;
  assert.deepEqual(
    other.map(({ id, name, editing }: Record<string, unknown>) => [id, name, editing]),
    [["ed", "ed", false]],
  );
  // A second tab is the same user, and keeps the time.
  await put(await signIn(server, "ed"), true);
  const [later] = (await put(viewer)).data.others;
  assert.deepEqual([later.editing, later.since], [true, other[0].since]);
  await server.request("PATCH", "/api/collections/seen/s001", { body: { title: "New" } });
  assert.notEqual((await put(viewer)).data.etag, first.data.etag);
  assert.equal((await editor.request("DELETE", path)).status, 204);
  assert.deepEqual((await put(viewer)).data.others, []);
});

test("ADM-75 presence is for users that may read the object", async () => {
  await makeStones("hidden", 1);
  await server.request("POST", "/api/access-groups", { body: { id: "nothing" } });
  await makeUser(server, "no", ["nothing"]);
  const no = await signIn(server, "no");
  const path = "/api/presence/hidden/s001";
  const body = { editing: true };
  assert.equal((await no.request("PUT", path, { body })).status, 403);
  assert.equal((await no.request("DELETE", path)).status, 403);
  assert.equal((await server.request("PUT", path, { body })).status, 403);
  assert.equal((await server.request("PUT", path, { body, key: null })).status, 401);
  assert.equal((await viewer.request("PUT", "/api/presence/hidden/none", { body })).status, 404);
  for (const bad of [{}, { editing: "yes" }, [], { editing: null }]) {
    const answer = await viewer.request("PUT", path, { body: bad });
    assert.deepEqual([answer.status, Object.keys(answer.body.error.details)], [400, ["editing"]], JSON.stringify(bad));
  }
});
