// Tools that read: collections, queries, search, objects, formats, size.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { type Server, startServer } from "../harness.ts";
import { type Agent, asKey, asNobody } from "./tool-caller.ts";

let server: Server;
let key: Agent;
let nobody: Agent;

const part = {
  id: "part",
  properties: { text: { field: "styledtext" }, inner: { field: "text", mcp: { expose: false } } },
  required: [],
  index: [],
};
const note = {
  id: "note",
  properties: {
    title: { field: "text", label: "Title", help: "What it is called", maxLength: 100 },
    body: { field: "styledtext", mcp: { description: "The story" } },
    tags: { field: "list" },
    rank: { field: "number" },
    draft: { field: "toggle" },
    names: { field: "localizedstyledtext" },
    parts: { field: "deck", schemaref: "/schemas/part.json" },
    cover: { field: "image" },
    pin: { field: "password", mcp: { expose: true } },
    salary: { field: "text", mcp: { expose: false } },
    vault: { field: "secret" },
  },
  required: ["id", "title"],
  index: ["id", "title", "tags", "rank", "salary", "draft"],
};

before(async () => {
  server = await startServer({
    settings: { mcp: { publicAccess: true, publicIpPerMinute: 0 }, api: { rateLimit: 0 } },
  });
  await server.makeSchema(part);
  await server.makeSchema(note);
  await server.makeSchema({
    id: "plain",
    properties: { url: { field: "text" } },
    required: ["id"],
    index: ["id", "url"],
  });
  const mcp = { access: "public", description: "Short\u202e notes\nof \u0000ours" };
  await server.makeCollection({ id: "notes", schema: "note", url: "/notes/{id}", mcp });
  await server.makeCollection({ id: "links", schema: "plain", mcp: { access: "public" }, url: "/links" });
  await server.makeCollection({ id: "closed", schema: "note" });
  const objects = [
    {
      id: "stone",
      title: "Stone walls",
      body: "<h2>Dry</h2><p>A <strong>solid</strong> wall</p>",
      tags: ["craft", "stone"],
      rank: 3,
      names: { en: "<p><em>Wall</em></p>" },
      parts: [{ id: "p1", text: "<p><b>one</b></p>", inner: "covert" }],
      pin: "correct-horse",
      salary: "zanzibar",
      vault: "treasure",
    },
    { id: "garden", title: "Garden paths", body: "<p>Gravel</p>", tags: ["craft"], rank: 1 },
    { id: "sketch", title: "Stone sketch", draft: true, rank: 2 },
  ];
  for (const body of objects) await server.request("POST", "/api/collections/notes", { body });
  await server.request("POST", "/api/collections/links", { body: { id: "home", url: "https://example.test/" } });
  await server.request("POST", "/api/collections/closed", { body: { id: "x", title: "Stone secret" } });
  [key, nobody] = await Promise.all([asKey(server), asNobody(server)]);
});
after(() => server.stop());

test("MCT-1 MCT-2 every tool has a title, a description, schemas and all four annotations, in a fixed order", async () => {
  const { tools } = (await key.rpc("tools/list")).result;
  assert.deepEqual(
    tools.map(({ name }: { name: string }) => name).filter((name: string) => !name.includes("_view")),
    [
      ...["list_collections", "describe_collection", "query_collection", "get_object", "list_references"],
      ...[
        "search_collection",
        "search_collections",
        "get_resource",
        "create_object",
        "update_object",
        "patch_object",
        "delete_object",
        "object_history",
        "restore_version",
        "undo_my_changes",
      ],
      ...["upload_file", "list_schemas", "get_schema", "create_schema", "update_schema", "delete_schema"],
      ...["create_collection", "update_collection", "get_site_info", "list_extensions", "clear_cache"],
      ...["docs_search", "docs_get"],
    ],
  );
  for (const tool of tools) {
    assert.ok(tool.title && tool.description.length > 10, tool.name);
    assert.deepEqual(
      Object.keys(tool.annotations).sort(),
      ["destructiveHint", "idempotentHint", "openWorldHint", "readOnlyHint"],
      tool.name,
    );
    assert.equal(tool.inputSchema.type, "object");
    assert.equal(tool.outputSchema.type, "object");
  }
});

test("MCT-10 the collections that may be read are listed, described by their card", async () => {
  const { collections } = await nobody.ask("list_collections");
  assert.deepEqual(
    collections.map(({ id }: { id: string }) => id),
    ["links", "notes"],
  );
  assert.deepEqual(collections[1], {
    id: "notes",
    name: "Notes",
    schema: "note",
    description: "Short notes of ours",
    url_pattern: "/notes/{id}",
    access: "public",
    total_objects: 3,
  });
  const all = (await key.ask("list_collections")).collections;
  assert.deepEqual(
    all.map(({ id, access }: Record<string, string>) => `${id} ${access}`),
    ["closed admin", "links public", "notes public"],
  );
});

test("MCT-11 a collection is described by its properties", async () => {
  const { properties } = await nobody.ask("describe_collection", { collection: "notes" });
  const named = (name: string) => properties.find((property: { name: string }) => property.name === name);
  assert.deepEqual(named("title"), {
    name: "title",
    type: "string",
    description: "What it is called",
    required: true,
    indexed: true,
    filterable: true,
    sortable: true,
    maxLength: 100,
  });
  assert.equal(named("body").description, "The story");
  assert.deepEqual([named("body").rich_text, named("body").filterable, named("cover").file], [true, false, true]);
  assert.deepEqual([named("pin").write_only, named("pin").indexed], [true, false]);
});

test("MCT-12, MCT-94, FIL-22 a query gives a page of entries", async () => {
  const page = await nobody.ask("query_collection", { collection: "notes", sort: "-rank", limit: 1 });
  assert.deepEqual(
    [page.total, page.limit, page.offset, page.has_more, page.next_offset, page.items.length],
    [2, 1, 0, true, 1, 1],
  );
  assert.deepEqual([page.items[0].id, page.items[0].rank, page.items[0].body], ["stone", 3, undefined]);
  const ids = async (args: object) =>
    (await nobody.ask("query_collection", { collection: "notes", ...args })).items.map(({ id }: { id: string }) => id);
  assert.deepEqual(await ids({ include: "rank:gt:1" }), ["stone"]);
  assert.deepEqual(await ids({ filter: { or: [{ rank: { gt: 1 } }, { id: "nothing" }] } }), ["stone"]);
  assert.deepEqual(await ids({ exclude: "tags:stone" }), ["garden"]);
  assert.deepEqual(await ids({ offset: 1 }), ["stone"]);
  const [only] = (await nobody.ask("query_collection", { collection: "notes", include: "title", limit: 1 })).items;
  assert.deepEqual(only, { id: "garden", title: "Garden paths", url: "/notes/garden" });
  assert.match(
    await nobody.failing("query_collection", { collection: "notes", limit: 51 }),
    /limit: must be at most 50/,
  );
  assert.match(await nobody.failing("query_collection", { collection: "notes", sort: "nothing" }), /nothing/);
  assert.match(
    await nobody.failing("query_collection", { where: "x" }),
    /takes: collection \(required\), filter, include/,
  );
});

test("MCT-13 MCT-14 MCT-17 an object carries its address and its version, and properties can be chosen", async () => {
  const object = await nobody.ask("get_object", { collection: "notes", id: "garden" });
  const rest = await server.request("GET", "/api/collections/notes/garden");
  assert.equal(`"${object.rev}"`, rest.headers.get("etag"));
  assert.equal(object.url, "/notes/garden");
  const { body: _, rev: _rev, url: _url, ...same } = object;
  const { body: html, ...data } = rest.body.data;
  assert.deepEqual(same, data);
  assert.equal(html, "<p>Gravel</p>");
  const part = await nobody.ask("get_object", { collection: "notes", id: "garden", properties: ["title"] });
  assert.deepEqual(part, { id: "garden", title: "Garden paths", url: "/notes/garden", rev: object.rev });
  const from = await nobody.ask("get_object", { collection: "notes", id: "garden", properties: ["title"], from: 7 });
  assert.equal(from.title, "paths");
  const link = await nobody.ask("get_object", { collection: "links", id: "home" });
  assert.equal(link.url, "https://example.test/");
});

test("MCT-15 search ranks, and takes any of the words when no object has all", async () => {
  const all = await nobody.ask("search_collection", { collection: "notes", query: "stone walls" });
  assert.deepEqual([all.match, all.total, all.items[0].id], ["all", 1, "stone"]);
  const any = await nobody.ask("search_collection", { collection: "notes", query: "please find garden pictures" });
  assert.deepEqual([any.match, any.items[0].id], ["any", "garden"]);
  const none = await nobody.ask("search_collection", { collection: "notes", query: '"walls stone"' });
  assert.deepEqual([none.match, none.total, none.items], ["all", 0, []]);
});

test("MCT-16 search goes through every collection that may be read, and no other", async () => {
  const found = await nobody.ask("search_collections", { query: "stone" });
  assert.deepEqual(
    found.items.map(({ collection, id }: Record<string, string>) => `${collection}/${id}`),
    ["notes/stone"],
  );
  const all = (await key.ask("search_collections", { query: "stone", limit: 2 })) as { items: object[]; total: number };
  assert.deepEqual([all.items.length, all.total], [2, 3]);
});

test("MCT-20 rich text comes in the requested format, everywhere", async () => {
  const asked = async (format?: string) => {
    const { body, names, parts } = await nobody.ask("get_object", { collection: "notes", id: "stone", format });
    return [body, names.en, parts[0].text];
  };
  assert.deepEqual(await asked(), ["## Dry\n\nA **solid** wall", "*Wall*", "**one**"]);
  assert.deepEqual(await asked("text"), ["Dry\n\nA solid wall", "Wall", "one"]);
  assert.deepEqual(await asked("html"), [
    "<h2>Dry</h2><p>A <strong>solid</strong> wall</p>",
    "<p><em>Wall</em></p>",
    "<p><b>one</b></p>",
  ]);
  assert.match(
    await nobody.failing("get_object", { collection: "notes", id: "stone", format: "pdf" }),
    /format: must be one of/,
  );
});

test("MCT-57 hidden properties and passwords are nowhere, and nothing is found by them (T1, T6)", async () => {
  for (const agent of [key, nobody]) {
    const texts = [
      await agent.call("get_object", { collection: "notes", id: "stone", format: "html" }),
      await agent.call("query_collection", { collection: "notes" }),
      await agent.call("describe_collection", { collection: "notes" }),
      await agent.call("search_collection", { collection: "notes", query: "stone" }),
      await agent.call("search_collections", { query: "stone" }),
    ].map((reply) => JSON.stringify(reply.result));
    for (const text of texts)
      assert.doesNotMatch(text, /zanzibar|treasure|covert|correct-horse|argon2|salary|vault|"inner"/);
    for (const args of [
      { include: "salary:zanzibar" },
      { include: "salary:starts:z" },
      { exclude: "salary:zanzibar" },
      { include: "salary" },
      { sort: "salary" },
      { include: "pin:correct-horse" },
    ])
      assert.match(await agent.failing("query_collection", { collection: "notes", ...args }), /no (indexed )?property/);
    for (const query of ["zanzibar", "zanz", "stone zanzibar", "zanzibar or nothing"]) {
      const found = await agent.ask("search_collection", { collection: "notes", query: `${query}` });
      assert.deepEqual([query, found.items.length > 0 && found.match === "all"], [query, false]);
    }
    assert.equal((await agent.ask("search_collections", { query: "zanzibar" })).total, 0);
  }
});

test("MCT-54 MCT-55 drafts and closed collections do not exist for callers that may not see them", async () => {
  assert.match(
    await nobody.failing("get_object", { collection: "notes", id: "sketch" }),
    /There is no object "sketch"/,
  );
  assert.equal((await nobody.ask("query_collection", { collection: "notes", include: "draft:true" })).total, 0);
  assert.equal((await nobody.ask("search_collection", { collection: "notes", query: "sketch" })).total, 0);
  assert.equal((await key.ask("get_object", { collection: "notes", id: "sketch" })).title, "Stone sketch");
  const closed = await nobody.failing("get_object", { collection: "closed", id: "x" });
  assert.equal(closed, await nobody.failing("get_object", { collection: "missing", id: "x" }));
  assert.equal(
    await nobody.failing("describe_collection", { collection: "closed" }),
    await nobody.failing("describe_collection", { collection: "missing" }),
  );
});

test("MCT-3 MCT-4 results are structured and repeated as JSON; failures say what to do next", async () => {
  const { result } = await nobody.call("get_object", { collection: "notes", id: "garden" });
  assert.deepEqual(JSON.parse(result.content[0].text), result.structuredContent);
  const failed = (await nobody.call("get_object", { collection: "notes", id: "nowhere" })).result;
  assert.equal(failed.isError, true);
  assert.equal(failed.structuredContent, undefined);
  assert.match(failed.content[0].text, /There is no object "nowhere".*\n.*query_collection/);
  assert.match(await nobody.failing("get_object", { collection: "closed", id: "x" }), /API key or by OAuth/);
});

test("MCT-5 unknown, wrong and oversized arguments are refused, all of them named (T18)", async () => {
  const refused = await nobody.failing("query_collection", {
    collection: 5,
    limt: 3,
    limit: "many",
    sort: "x".repeat(501),
  });
  for (const line of [
    /collection: must be text/,
    /limt: is not an argument/,
    /limit: must be a whole number/,
    /sort: must not be longer/,
  ])
    assert.match(refused, line);
  assert.match(await nobody.failing("get_object", {}), /collection: is required\n- id: is required/);
  assert.match(await nobody.failing("get_object", { collection: "notes", id: "x\u0000" }), /not text/);
  assert.match(await nobody.failing("get_object", { collection: "x".repeat(100_000), id: "x" }), /must not be longer/);
  for (const id of ["../notes/garden", "%2e%2e", "garden/../stone", "..", "GARDEN", "garden "])
    assert.match(await nobody.failing("get_object", { collection: "notes", id }), /There is no object/, id);
  for (const collection of ["../.system", "notes/garden", "__proto__", "constructor"])
    await nobody.failing("get_object", { collection, id: "x" });
  assert.equal((await nobody.ask("get_object", { collection: "notes", id: "garden", format: null })).id, "garden");
  assert.ok((await nobody.rpc("tools/call", { name: "get_object", arguments: ["notes"] })).error);
});

test("MCT-22 large answers are cut, and say how to go on", async () => {
  const big = (id: string, body: string) =>
    server.request("POST", "/api/collections/notes", { body: { id, title: id, body, rank: 9 } });
  await big("long", `<p>${"words and more ".repeat(20_000)}</p>`);
  const { result } = await key.call("get_object", { collection: "notes", id: "long" });
  assert.ok(result.content[0].text.length <= 61_000, String(result.content[0].text.length));
  const object = result.structuredContent;
  assert.deepEqual(object._cut.properties, ["body"]);
  assert.match(object.body, /…\[cut\]$/);
  assert.match(object._cut.hint, /`from`/);
  const from = object.body.length - "…[cut]".length;
  const rest = await key.ask("get_object", { collection: "notes", id: "long", properties: ["body"], from });
  assert.match(rest.body, /^\s?(words|and|more|[a-z]+ )/);
  const sent = { collection: "notes", id: "long", data: { body: object.body } };
  assert.match(await key.failing("patch_object", sent), /body: Read it whole first/);

  const tags = Array.from({ length: 150 }, (_, at) => `tag-${at}-${"y".repeat(20)}`);
  for (let at = 0; at < 30; at += 1)
    await server.request("POST", "/api/collections/notes", {
      body: { id: `wide-${at}`, title: "Wide", tags, rank: 50 },
    });
  const page = await key.ask("query_collection", { collection: "notes", include: "rank:50", limit: 50 });
  assert.ok(page.items.length < 30 && page.items.length > 5, String(page.items.length));
  assert.deepEqual([page.has_more, page.next_offset, page.total], [true, page.items.length, 30]);
  assert.match(page.hint, new RegExp(`offset ${page.items.length}`));
});
