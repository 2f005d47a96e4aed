import assert from "node:assert/strict";
import { test } from "node:test";
import { type Operation, operations } from "#contract/collections.ts";
import { keyMethods } from "#contract/keys.ts";
import type { Actor } from "./actor.ts";
import { allow, isAllowed } from "./allow.ts";
import { limitsOf } from "./key-limits.ts";
import { findEntry, keyScope } from "./key-scope.ts";
import type { Subject } from "./subject.ts";

/** `at`: the request that it came with, `GET /trash`; without one it is deferred work. */
interface Parts {
  methods?: readonly string[];
  at?: string;
  isPublished?: boolean;
}

function key(endpoints: string, { methods = keyMethods, at, isPublished = false }: Parts = {}): Actor {
  const scope = keyScope(methods, endpoints.split(","), isPublished);
  const [method = "", path = ""] = at?.split(" ") ?? [];
  const entry = at === undefined ? undefined : findEntry(scope, method, path);
  assert.equal(entry === undefined, at === undefined, `${endpoints} opens ${at}`);
  return { kind: "key", id: "k", name: "k", limits: limitsOf(scope), scope, ...(entry && { entry }) };
}

function granted(actor: Actor, subject: Subject): readonly Operation[] {
  return operations.filter((operation) => isAllowed(actor, operation, subject));
}

const ofObjects = (collection: string): Subject => ({ kind: "objects", collection, publicOperations: [] });
const collections = ["blog", "news", "auth", "automations", "dataviews"];

/** What it may do to objects of each collection: `blog crud`. */
function reached(actor: Actor): string[] {
  return collections.flatMap((collection) => {
    const found = granted(actor, ofObjects(collection)).map((operation) => operation[0]);
    return found.length === 0 ? [] : [`${collection} ${found.join("")}`];
  });
}

const on = (names: string, rights: string) => names.split(" ").map((name) => `${name} ${rights}`);

test("KEY-19, KEY-20, KEY-43, KEY-45 where another endpoint let it in, an endpoint gives what it opens at its own address", () => {
  const content = "blog news";
  const expected: [string, string[]][] = [
    ["/collections", on(content, "crud")],
    ["/collections/blog", on("blog", "crud")],
    ["/collections/blog/one/title", []],
    ["/collections/auth", on("auth", "crud")],
    ["/collections,/collections/auth", on(`${content} auth`, "crud")],
    ["/export", on(content, "r")],
    ["/report/collections/news", on("news", "r")],
    ["/export/collections/news/one", []],
    ["/export/jumpstart", on(content, "r")],
    ["/import", on(content, "c")],
    ["/import/collections", on(content, "c")],
    ["/import/jumpstart", on(content, "c")],
    ["/import/collections/automations", on("automations", "c")],
    ["/import/collections/news,/export/collections/blog", ["blog r", "news c"]],
    ["/imageworks,/download,/stream,/upload,/download/upload/blog", []],
    ["/history,/changes,/undo", []],
    ["/mcp,/sync,/dataviews", []],
    ["/automations,/automations-admin,/schemas,/templates,/settings,/cache,/metrics,/extensions,/import/schemas", []],
  ];
  for (const [endpoints, rights] of expected)
    assert.deepEqual(reached(key(`${endpoints},/trash`, { at: "GET /trash" })), rights, endpoints);
});

test("KEY-41 where another endpoint let it in, an operation takes its method", () => {
  for (const [methods, rights] of [
    ["GET", "r"],
    ["GET,POST", "cr"],
    ["GET,PATCH", "ru"],
    ["GET,DELETE", "rd"],
  ] as const) {
    const actor = key("/collections/blog,/trash", { methods: methods.split(","), at: "GET /trash" });
    assert.deepEqual(reached(actor), on("blog", rights), methods);
  }
});

test("KEY-40 at its own address an endpoint opens the collection that the address names", () => {
  const expected: [string, string, string[]][] = [
    ["/collections", "GET /api/collections/blog/one", on("blog", "crud")],
    ["/collections/blog/one", "GET /api/objects/blog/one", on("blog", "crud")],
    ["/collections", "GET /api/collections/auth", []],
    ["/collections/auth", "GET /api/collections/auth", on("auth", "crud")],
    ["/imageworks", "GET /imageworks/blog/one/image.png", on("blog", "r")],
    ["/download", "GET /download/upload/blog/one/text/a.txt", on("blog", "r")],
    ["/upload", "GET /api/upload/blog/one/text", on("blog", "ru")],
    ["/import", "GET /api/import/collections/blog/json", on("blog", "cu")],
    ["/history", "GET /api/history/blog/one", []],
    ["/mcp", "GET /mcp", on("blog news", "crud")],
    ["/mcp,/collections/auth", "GET /mcp", [...on("blog news", "crud"), "auth r"]],
    ["/sync", "GET /api/sync/export", on("blog news automations dataviews", "crud")],
    ["/dataviews", "GET /api/dataviews/one", on("dataviews", "crud")],
  ];
  for (const [endpoints, at, rights] of expected) {
    // The entry alone: GET opens reading elsewhere.
    const found = reached(key(endpoints, { methods: ["GET"], at }));
    const more = endpoints === "/collections" ? on(at.endsWith("auth") ? "blog news" : "news", "r") : [];
    assert.deepEqual(found, [...rights, ...more].sort(byPlace), `${endpoints} ${at}`);
  }
});

function byPlace(one: string, other: string): number {
  const place = (text: string) => collections.indexOf(text.split(" ")[0] as string);
  return place(one) - place(other);
}

test("KEY-40 work that is done later has what the key has elsewhere, that of agents what they have", () => {
  assert.deepEqual(reached(key("/undo,/collections/blog,/imageworks")), on("blog", "crud"));
  assert.deepEqual(reached(key("/mcp,/upload")), []);
  assert.deepEqual(reached(key("/sync")), on("blog news automations dataviews", "crud"));
});

const subjects: Subject[] = [
  ...collections.flatMap((collection): Subject[] => [ofObjects(collection), { kind: "collections", collection }]),
  ...[{ kind: "schemas" }, { kind: "templates" }, { kind: "settings" }, { kind: "sync" }, { kind: "runs" }].map(
    (subject) => subject as Subject,
  ),
  ...["cache", "jumpstart"].map((util): Subject => ({ kind: "util", util })),
  ...[{ kind: "extensions" }, { kind: "metrics" }].map((subject) => subject as Subject),
];
const addresses = [
  ...["", "/blog", "/blog/one", "/auth", "/auth/one", "/news/settings"].map((rest) => `/api/collections${rest}`),
  ...["export", "report", "import"].flatMap((name) =>
    ["/collections/blog", "/collections/news", "/collections/auth", "/jumpstart", "/schemas"].map(
      (rest) => `/api/${name}${rest}`,
    ),
  ),
  ...["imageworks", "download", "stream", "api/upload"].flatMap((name) => [
    `/${name}/blog/one/a`,
    `/${name}/auth/one/a`,
  ]),
  ...["history/blog/one", "trash", "undo", "changes", "schemas", "templates/a", "settings", "sync/import", "cache"].map(
    (path) => `/api/${path}`,
  ),
  ...["/download/upload/blog/one/a", "/mcp", "/api/dataviews/one", "/api/automations/one/run", "/metrics"],
];
const endpointPool = [
  ...["/collections", "/collections/blog", "/collections/blog/one", "/collections/auth", "/history", "/history/blog"],
  ...["/export", "/export/collections/blog", "/export/jumpstart", "/report", "/report/collections/auth", "/import"],
  ...["/import/collections/news", "/import/jumpstart", "/imageworks", "/imageworks/auth", "/download", "/stream"],
  ...["/download/upload/blog", "/upload", "/mcp", "/sync", "/dataviews", "/trash", "/undo", "/changes", "/schemas"],
  ...["/templates", "/settings", "/cache", "/extensions", "/metrics", "/automations-admin", "/import/schemas"],
];

/** Numbers in a row that a seed settles. */
function rolls(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

/** All that a key may do by any request; `isLater`: and by the work that requests begin. */
function everything(endpoints: readonly string[], methods: readonly string[], isLater = false): Set<string> {
  const scope = keyScope(methods, endpoints);
  const limits = limitsOf(scope);
  const found = new Set<string>();
  const entries = [...addresses, ...endpointPool].flatMap((path) =>
    methods.map((method) => findEntry(scope, method, path)),
  );
  for (const entry of [...entries.filter((entry) => entry !== undefined), ...(isLater ? [undefined] : [])]) {
    const actor: Actor = { kind: "key", id: "k", name: "k", limits, scope, entry };
    for (const subject of subjects)
      for (const operation of granted(actor, subject)) found.add(`${operation} ${JSON.stringify(subject)}`);
  }
  return found;
}

test("KEY-40 whatever a key for two sets of endpoints may do, a key for one of them may do", (t) => {
  const seed = Number(process.env.CAIRN_TEST_SEED ?? Date.now() % 1_000_000);
  t.diagnostic(`CAIRN_TEST_SEED=${seed}`);
  const roll = rolls(seed);
  const some = <Item>(items: readonly Item[], most: number) =>
    Array.from({ length: 1 + roll(most) }, () => items[roll(items.length)] as Item);
  let count = 0;
  for (let round = 0; round < 150; round += 1) {
    const [one, other] = [some(endpointPool, 3), some(endpointPool, 3)];
    const methods = [...new Set(some(keyMethods, 5))];
    const apart = everything(one, methods).union(everything(other, methods));
    const together = everything([...one, ...other], methods, true);
    count += together.size;
    const more = [...together.difference(apart)];
    assert.deepEqual(more, [], `${one} and ${other} by ${methods}, seed ${seed}`);
  }
  assert.ok(count > 1_000, `${count}`);
});

test("KEY-18, KEY-22 operations that make an administrator are closed to limited keys, whatever their endpoints", () => {
  const endpoints =
    "/collections,/import,/export,/mcp,/schemas,/sync,/settings,/templates,/automations,/dataviews,/cache";
  for (const kind of ["keys", "groups", "users", "oauth", "backups", "audit", "jobs", "webhooks", "runs"] as const) {
    assert.deepEqual(granted(key(endpoints), { kind }), [], kind);
    assert.throws(() => allow({ actor: key(endpoints) }, "read", { kind }), { status: 401 });
  }
  assert.deepEqual(granted(key("/automations-admin"), { kind: "runs" }), operations);
  assert.deepEqual(granted(key("/collections"), { kind: "settings" }), []);
  assert.deepEqual(granted(key("/settings"), { kind: "settings" }), operations);
  assert.deepEqual(granted(key("/collections"), { kind: "sync" }), []);
  assert.equal(limitsOf(keyScope(["GET"], ["/mcp", "*"])), undefined);
});

test("MCT-140 through /mcp a limited key reads definitions, and writes none, whatever else it opens", () => {
  const actor = key("/mcp,/collections,/schemas,/templates", { at: "POST /mcp" });
  for (const subject of [
    { kind: "collections" },
    { kind: "collections", collection: "blog" },
    { kind: "schemas" },
    { kind: "templates" },
  ] as const) {
    assert.deepEqual(granted(actor, subject), ["read"], subject.kind);
    assert.throws(() => allow({ actor }, "update", subject), { status: 403 });
  }
  assert.deepEqual(granted(key("/mcp,/schemas", { at: "POST /api/schemas" }), { kind: "schemas" }), operations);
});

test("KEY-25 a published key is limited by nature: it reads definitions and writes objects", () => {
  const actor = key("*", { isPublished: true, at: "GET /api/collections" });
  assert.deepEqual(reached(actor), on("blog news", "crud"));
  for (const kind of ["settings", "sync", "keys", "groups", "runs", "oauth", "backups"] as const)
    assert.deepEqual(granted(actor, { kind }), [], kind);
  for (const kind of ["collections", "schemas", "templates"] as const)
    assert.deepEqual(granted(actor, { kind }), ["read"]);
});
