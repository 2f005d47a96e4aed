// Relations over HTTP: objects that come along, references that are checked, and what points to an object.

import assert from "node:assert/strict";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { after, before, test } from "node:test";
import { Client } from "pg";
import { until } from "#base/patience.fixture.ts";
import { type Answer, engine, type Server, startServer } from "../../harness.ts";
import { asKey, asNobody } from "../../mcp/tool-caller.ts";
import { makeUser, signIn } from "../../support/sign-in.ts";

let server: Server;
const get = (path: string, key?: string | null): Promise<Answer> =>
  server.request("GET", `/api/collections/${path}`, key === undefined ? {} : { key });
const create = (collection: string, body: object): Promise<Answer> =>
  server.request("POST", `/api/collections/${collection}`, { body });
const patch = (path: string, body: object, headers: Record<string, string> = {}): Promise<Answer> =>
  server.request("PATCH", `/api/collections/${path}`, { body, headers });
const remove = (path: string, key?: string): Promise<Answer> =>
  server.request("DELETE", `/api/collections/${path}`, key === undefined ? {} : { key });
const pointing = async (path: string, key?: string | null): Promise<string[]> => {
  const answer = await get(path.includes("?") ? path.replace("?", "/references?") : `${path}/references`, key);
  assert.equal(answer.status, 200, answer.text);
  return answer.body.data.map((one: Record<string, string>) => `${one.collection}/${one.id} ${one.property}`);
};
const text = { type: "string", field: "text" };
const schema = (id: string, properties: object, index: string[] = ["title"]) =>
  server.makeSchema({ id, properties: { title: text, ...properties }, required: [], index });

before(async () => {
  server = await startServer({ settings: { mcp: { publicAccess: true }, api: { rateLimit: 0 } } });
  await schema("company", { boss: { ...text, reference: "people" } });
  const hidden = { ...text, mcp: { expose: false } };
  await schema("person", {
    salary: hidden,
    company: { ...text, reference: "companies" },
    draft: { type: "boolean", field: "toggle" },
  });
  await schema("product", { maker: { ...text, reference: "companies" } });
  await schema("ingredient", { product: { ...text, reference: "products" } });
  await schema("credit", { photographer: { ...text, reference: "people" } });
  await schema("recipe", {
    author: { ...text, reference: "people" },
    tasters: { type: "list", field: "list", reference: "people" },
    owner: { ...text, reference: "auth" },
    drink: { type: "string", field: "select", settings: { relationalOptions: { collection: "products" } } },
    ingredients: { type: "deck", field: "deck", deckref: "ingredient" },
    credit: { type: "card", field: "card", schemaref: "credit" },
    critic: { ...hidden, reference: "people" },
  });
  const open = { publicOperations: ["read"], mcp: { access: "public" } };
  await server.makeCollection({ id: "companies", schema: "company" });
  await server.makeCollection({ id: "people", schema: "person", ...open });
  await server.makeCollection({ id: "products", schema: "product", ...open });
  await server.makeCollection({ id: "recipes", schema: "recipe", ...open });
  await create("companies", { id: "acme", title: "Acme", boss: "ada" });
  await create("people", { id: "ada", title: "Ada", company: "acme", salary: "much" });
  await create("people", { id: "bob", title: "Bob", company: "gone" });
  await create("people", { id: "cleo", title: "Cleo", draft: true });
  await create("products", { id: "salt", title: "Salt", maker: "acme" });
  await create("products", { id: "wine", title: "Wine" });
  await create("recipes", {
    id: "soup",
    title: "Soup",
    author: "ada",
    tasters: ["bob", "ada", "nobody", "cleo"],
    drink: "wine",
    critic: "bob",
    ingredients: [
      { id: "one", product: "salt" },
      { id: "two", product: "wine" },
      { id: "three", product: "salt" },
    ],
    credit: { photographer: "bob" },
  });
  await create("recipes", { id: "stew", title: "Stew", author: "ada" });
});
after(() => server.stop());

const idsOf = (answer: Answer) =>
  Object.fromEntries(
    Object.entries(answer.body.expand as Record<string, object>).map(([path, objects]) => [path, Object.keys(objects)]),
  );

test("REL-1, REL-2 objects that an object refers to come along, each once and as its own GET shows it", async () => {
  const plain = await get("recipes/soup");
  const answer = await get("recipes/soup?expand=author,tasters,ingredients.product,credit.photographer,drink");
  assert.equal(answer.status, 200, answer.text);
  assert.deepEqual(answer.body.data, plain.body.data);
  assert.equal(plain.body.expand, undefined);
  assert.deepEqual(idsOf(answer), {
    author: ["ada"],
    tasters: ["bob", "ada", "cleo"],
    "ingredients.product": ["salt", "wine"],
    "credit.photographer": ["bob"],
    drink: ["wine"],
  });
  assert.deepEqual(answer.body.expand.author.ada, (await get("people/ada")).body.data);
  const deep = await get("recipes/soup?expand=ingredients.product.maker.boss");
  assert.deepEqual(idsOf(deep), {
    "ingredients.product": ["salt", "wine"],
    "ingredients.product.maker": ["acme"],
    "ingredients.product.maker.boss": ["ada"],
  });
});

test("REL-2, REL-6 lists and queries bring along what their objects refer to, as it is now", async () => {
  for (const path of ["recipes?sort=id&order=asc&expand=author.company", "recipes/query?expand=author.company"]) {
    const answer = await get(path);
    assert.equal(answer.status, 200, answer.text);
    assert.equal(answer.body.data.length, 2);
    assert.deepEqual(idsOf(answer), { author: ["ada"], "author.company": ["acme"] });
    await patch("companies/acme", { title: `Acme of ${path.length}` });
    assert.equal((await get(path)).body.expand["author.company"].acme.title, `Acme of ${path.length}`);
  }
  const { body } = await server.request("GET", "/collections/recipes?expand=author");
  assert.deepEqual([body.objects.length, Object.keys(body.expand.author)], [2, ["ada"]]);
  assert.equal((await get("recipes/query?expand=author&format=csv")).status, 400);
});

test("REL-3 what a caller may not read does not come along", async () => {
  await makeUser(server, "owner");
  await patch("recipes/soup", { owner: "owner" });
  const paths = "tasters.company.boss,owner";
  const all = await get(`recipes/soup?expand=${paths}`);
  assert.deepEqual(idsOf(all), {
    tasters: ["bob", "ada", "cleo"],
    "tasters.company": ["acme"],
    "tasters.company.boss": ["ada"],
    owner: ["owner"],
  });
  assert.deepEqual(all.body.expand.owner.owner, (await get("auth/owner")).body.data);
  const none = await get(`recipes/soup?expand=${paths}`, null);
  assert.deepEqual(idsOf(none), { tasters: ["bob", "ada"], "tasters.company": [], owner: [] });
  // A closed collection says nothing of its relations.
  assert.equal((await get("recipes/soup?expand=tasters.company.nonsense", null)).status, 200);
  const { key } = await server.makeKey({ methods: ["GET"], endpoints: ["/collections/recipes"] });
  assert.deepEqual(idsOf(await get(`recipes/soup?expand=${paths}`, key)), { tasters: [], owner: [] });
  const owner = await signIn(server, "owner");
  const own = await owner.request("GET", "/api/collections/recipes/soup?expand=owner");
  assert.deepEqual(idsOf(own), { owner: ["owner"] });
  const others = await owner.request("GET", "/api/collections/recipes?expand=owner");
  assert.deepEqual(idsOf(others), { owner: ["owner"] });
});

test("REL-4 a path that is no relation is refused, and so is too much", async () => {
  for (const [path, message] of [
    ["title", /"title" is no path of relations.*author, tasters/],
    ["author.title", /"author.title"/],
    ["ingredients", /"ingredients"/],
    ["author.company.boss.company", /more than 3/],
    ["a,b,c,d,e,f,g,h,i,j,k", /at most 10/],
  ] as const) {
    for (const place of ["recipes/soup", "recipes", "recipes/query"]) {
      const answer = await get(`${place}?expand=${path}`);
      assert.equal(answer.status, 400, `${place} ${path}`);
      assert.match(answer.body.error.details.expand[0], message);
    }
  }
  const many = Array.from({ length: 1_001 }, (_, at) => `p${at}`);
  await create("recipes", { id: "crowd", tasters: many });
  const answer = await get("recipes/crowd?expand=tasters");
  assert.deepEqual([answer.status, Object.keys(answer.body.error.details)], [400, ["expand"]]);
  await server.request("DELETE", "/api/collections/recipes/crowd");
});

test("REL-5 the tag of an answer changes with what came along, and means the object in a condition", async () => {
  const path = "recipes/stew?expand=author";
  const first = await get(path);
  const tag = first.headers.get("etag") as string;
  assert.notEqual(tag, (await get("recipes/stew")).headers.get("etag"));
  const known = { headers: { "if-none-match": tag } };
  assert.equal((await server.request("GET", `/api/collections/${path}`, known)).status, 304);
  await patch("people/ada", { title: "Ada L." });
  const second = await server.request("GET", `/api/collections/${path}`, known);
  assert.deepEqual([second.status, second.body.expand.author.ada.title], [200, "Ada L."]);
  assert.equal((await patch("recipes/stew", { title: "Stew 2" }, { "if-match": tag })).status, 200);
  assert.equal((await patch("recipes/stew", { title: "Stew 3" }, { "if-match": tag })).status, 412);
});

test("REL-7 a report as JSON brings along what its objects refer to", async () => {
  const answer = await server.request("GET", "/api/report/collections/recipes/json?fields=title&expand=author.company");
  assert.equal(answer.status, 200, answer.text);
  assert.deepEqual(answer.body.data.length, 2);
  assert.deepEqual(idsOf(answer), { author: ["ada"], "author.company": ["acme"] });
  for (const path of ["json?fields=title&expand=title", "csv?fields=title&expand=author"]) {
    const refused = await server.request("GET", `/api/report/collections/recipes/${path}`);
    assert.deepEqual([refused.status, Object.keys(refused.body.error.details)], [400, ["expand"]]);
  }
});

test("REL-8 tools of agents take expand, and show what they show of each object", async () => {
  const agent = await asKey(server);
  const soup = await agent.ask("get_object", { collection: "recipes", id: "soup", expand: "author" });
  assert.equal(soup.title, "Soup");
  assert.deepEqual([soup.expand.author.ada.title, soup.expand.author.ada.salary], ["Ada L.", undefined]);
  const page = await agent.ask("query_collection", { collection: "recipes", expand: "author.company" });
  assert.deepEqual(Object.keys(page.expand["author.company"]), ["acme"]);
  assert.match(await agent.failing("get_object", { collection: "recipes", id: "soup", expand: "critic" }), /"critic"/);
  const nobody = await asNobody(server);
  const seen = await nobody.ask("get_object", { collection: "recipes", id: "soup", expand: "tasters.company" });
  assert.deepEqual(Object.keys(seen.expand.tasters), ["bob", "ada"]);
  assert.deepEqual(seen.expand["tasters.company"], {});
});

test("REL-9 handlers take expand; a view gets no users, whoever wrote it", async () => {
  const definition = `export default async (ctx) => {
    const { data, expand } = await ctx.objects.get("recipes", "soup", { expand: ["author", "owner"] });
    const list = await ctx.objects.list("recipes", { expand: "author" });
    const query = await ctx.objects.query("recipes", { expand: "author" });
    return [{ id: data.id, author: expand.author.ada.title, owners: Object.keys(expand.owner).length,
      list: list.expand.author.ada.id, query: query.expand.author.ada.id }];
  }`;
  await create("dataviews", { id: "soups", name: "Soups", definition });
  const view = await server.request("GET", "/api/dataviews/soups/data");
  assert.deepEqual(view.body, [{ id: "soup", author: "Ada L.", owners: 0, list: "ada", query: "ada" }], view.text);
});

test("REL-50 objects are found by the words of what they refer to, as far as the caller may read that", async () => {
  const ids = async (query: string, key?: string | null) => {
    const answer = await get(`recipes${query}`, key);
    assert.equal(answer.status, 200, answer.text);
    return answer.body.data.map(({ id }: { id: string }) => id).sort();
  };
  assert.deepEqual(await ids("?filter[author][search]=ada"), ["soup", "stew"]);
  assert.deepEqual(await ids("/query?filter[tasters][search]=bo"), ["soup"]);
  assert.deepEqual(await ids("?filter[ingredients.product][search]=salt"), ["soup"]);
  assert.deepEqual(await ids("?filter[author][search]=nobody"), []);
  assert.deepEqual(await ids("?filter[not][tasters][search]=bob&sort=id"), ["stew"]);
  const json = encodeURIComponent('{"or":[{"drink":{"search":"wine"}},{"title":"Stew 2"}]}');
  assert.deepEqual(await ids(`?filter=${json}`), ["soup", "stew"]);
  assert.deepEqual(await ids("?filter[tasters][search]=cleo"), ["soup"]);
  assert.deepEqual(await ids("?filter[tasters][search]=cleo", null), []);
  const { key } = await server.makeKey({ methods: ["GET"], endpoints: ["/collections/recipes"] });
  assert.deepEqual(await ids("?filter[author][search]=ada", key), []);
  for (const query of ["[title][search]=x", "[author][search]=", "[author][search]=a&filter[author][in]=b"]) {
    const refused = await get(`recipes?filter${query}`);
    assert.deepEqual([refused.status, Object.keys(refused.body.error.details)], [400, ["filter"]], query);
  }
});

test("REL-20 a checked reference to nothing is refused, and what was stored before stays", async () => {
  const checked = { reference: "shelves", onMissing: "refuse" };
  await schema("shelf", { beside: { ...text, ...checked } });
  await schema("page", { shelf: { ...text, ...checked } });
  await schema("book", {
    shelf: { ...text, ...checked },
    others: { type: "list", field: "list", ...checked },
    pages: { type: "deck", field: "deck", deckref: "page" },
  });
  await server.makeCollection({ id: "shelves", schema: "shelf" });
  await server.makeCollection({ id: "books", schema: "book", publicOperations: ["create"] });
  assert.equal((await create("shelves", { id: "top", beside: "top" })).status, 201);
  for (const [body, details] of [
    [{ shelf: "no" }, { shelf: ['There is no object "no" in the collection "shelves".'] }],
    [{ others: ["top", "no"] }, { others: ['There is no object "no" in the collection "shelves".'] }],
    [
      {
        pages: [
          { id: "a", shelf: "top" },
          { id: "b", shelf: "gone" },
        ],
      },
      { "pages.shelf": ['There is no object "gone" in the collection "shelves".'] },
    ],
  ] as const) {
    const refused = await create("books", { id: "one", ...body });
    assert.deepEqual([refused.status, refused.body.error.details], [400, details]);
    assert.equal((await get("books/one")).status, 404);
  }
  assert.equal((await create("books", { id: "one", shelf: "top", others: ["top"] })).status, 201);
  assert.equal((await patch("books/one", { shelf: "no" })).status, 400);
  assert.equal((await get("books/one")).body.data.shelf, "top");
  // Nothing clears it here, so it leads to nothing now.
  assert.equal((await remove("shelves/top")).status, 204);
  assert.equal((await patch("books/one", { title: "One" })).status, 200);
  assert.equal((await patch("books/one", { others: ["top", "none"] })).status, 400);
  // Callers without rights learn no more than that.
  const stranger = await server.request("POST", "/api/collections/books", { key: null, body: { shelf: "no" } });
  assert.deepEqual([stranger.status, stranger.body.error.details], [400, undefined]);
  const bad = {
    id: "bad",
    properties: { a: { ...text, reference: "shelves", onMissing: "never", onDelete: "cascade" } },
  };
  const schemas = await server.request("POST", "/api/schemas", { body: { ...bad, required: [], index: [] } });
  assert.equal(schemas.status, 400, schemas.text);
});

test("REL-21 imports and jumpstart check references like other writes", async () => {
  await create("shelves", { id: "low" });
  const rows = [
    { id: "in-1", shelf: "low" },
    { id: "in-2", shelf: "no" },
    { id: "in-3", shelf: "low" },
  ];
  const imported = await server.request("POST", "/api/import/collections/books/json", { body: rows });
  assert.equal(imported.body.data?.errors?.length ?? imported.body.errors?.length, 1, imported.text);
  assert.deepEqual(
    [(await get("books/in-1")).status, (await get("books/in-2")).status, (await get("books/in-3")).status],
    [200, 404, 200],
  );
  assert.deepEqual(await pointing("shelves/low"), ["books/in-1 shelf", "books/in-3 shelf"]);
});

test("REL-22 of a checked write and a deletion at the same moment one fails", async () => {
  await schema("slot", { shelf: { ...text, reference: "shelves", onMissing: "refuse", onDelete: "refuse" } });
  await server.makeCollection({ id: "slots", schema: "slot" });
  for (let round = 0; round < 10; round += 1) {
    await create("shelves", { id: `r${round}` });
    const [written, deleted] = await Promise.all([
      create("slots", { id: `s${round}`, shelf: `r${round}` }),
      remove(`shelves/r${round}`),
    ]);
    const isKept = written.status === 201;
    assert.deepEqual([written.status, deleted.status], isKept ? [201, 409] : [400, 204]);
    assert.equal((await get(`shelves/r${round}`)).status, isKept ? 200 : 404);
  }
});

test("REL-30, REL-31 what points to an object is listed in pages, by the caller's rights", async () => {
  assert.deepEqual(await pointing("people/bob"), [
    "recipes/soup credit.photographer",
    "recipes/soup critic",
    "recipes/soup tasters",
  ]);
  assert.deepEqual(await pointing("people/ada"), [
    "companies/acme boss",
    "recipes/soup author",
    "recipes/soup tasters",
    "recipes/stew author",
  ]);
  assert.deepEqual(await pointing("people/ada", null), [
    "recipes/soup author",
    "recipes/soup tasters",
    "recipes/stew author",
  ]);
  const first = await get("people/ada/references?limit=3");
  assert.equal(first.body.data.length, 3);
  const second = await get(`people/ada/references?limit=3&cursor=${first.body.meta.cursor}`);
  assert.deepEqual(second.body, { data: [{ collection: "recipes", id: "stew", property: "author" }], meta: {} });
  assert.equal((await get("people/ada/references?cursor=x")).status, 400);
  assert.equal((await get("people/ada/references?limit=0")).status, 400);
  assert.equal((await get("people/none/references")).status, 404);
  assert.equal((await get("companies/acme/references", null)).status, 401);
  assert.equal((await get("people/cleo/references", null)).status, 404);
  assert.deepEqual(await pointing("companies/acme"), ["people/ada company", "products/salt maker"]);
  await create("people", { id: "dora", draft: true, company: "acme" });
  const { key } = await server.makeKey({ methods: ["GET"], endpoints: ["/collections/companies"] });
  assert.deepEqual(await pointing("companies/acme", key), []);
});

test("REL-33 agents list what points to an object, without hidden relations", async () => {
  const agent = await asKey(server);
  const { items } = await agent.ask("list_references", { collection: "people", id: "bob" });
  assert.deepEqual(
    items.map(({ property }: { property: string }) => property),
    ["credit.photographer", "tasters"],
  );
});

test("REL-32 the list follows writes, changes of the schema and deleted collections", async () => {
  await schema("tree", {});
  await schema("leaf", { tree: text });
  await server.makeCollection({ id: "trees", schema: "tree" });
  await server.makeCollection({ id: "leaves", schema: "leaf" });
  await create("trees", { id: "oak" });
  await create("trees", { id: "elm" });
  await create("leaves", { id: "a", tree: "oak" });
  assert.deepEqual(await pointing("trees/oak"), []);
  const change = (properties: object) =>
    server.request("PUT", "/api/schemas/leaf", {
      body: { id: "leaf", properties: { title: text, ...properties }, required: [], index: ["title"] },
    });
  assert.equal((await change({ tree: { ...text, reference: "trees" } })).status, 200);
  assert.deepEqual(await pointing("trees/oak"), ["leaves/a tree"]);
  await patch("leaves/a", { tree: "elm" });
  assert.deepEqual([await pointing("trees/oak"), await pointing("trees/elm")], [[], ["leaves/a tree"]]);
  await remove("leaves/a");
  assert.deepEqual(await pointing("trees/elm"), []);
  await create("leaves", { id: "b", tree: "elm" });
  assert.equal((await change({ tree: text })).status, 200);
  assert.deepEqual(await pointing("trees/elm"), []);
  await change({ tree: { ...text, reference: "trees", onDelete: "refuse" } });
  assert.equal((await server.request("DELETE", "/api/collections/trees?confirm=trees")).status, 409);
  assert.equal((await server.request("DELETE", "/api/collections/leaves?confirm=leaves")).status, 204);
  await server.makeCollection({ id: "leaves", schema: "leaf" });
  assert.deepEqual(await pointing("trees/elm"), []);
  assert.equal((await server.request("DELETE", "/api/collections/trees?confirm=trees")).status, 204);
});

test("REL-40 an object that others need is kept, and they are named to callers that may read them", async () => {
  await schema("bay", { dock: { ...text, reference: "docks", onDelete: "refuse" } });
  await schema("dock", {});
  await server.makeCollection({ id: "docks", schema: "dock" });
  await server.makeCollection({ id: "bays", schema: "bay" });
  await create("docks", { id: "west" });
  await create("bays", { id: "one", dock: "west" });
  const refused = await remove("docks/west");
  assert.deepEqual([refused.status, refused.body.error.details], [409, { references: ["bays/one (dock)"] }]);
  const { key } = await server.makeKey({ methods: ["DELETE", "GET"], endpoints: ["/collections/docks"] });
  const counted = await remove("docks/west", key);
  assert.equal(counted.status, 409);
  assert.doesNotMatch(counted.text, /bays/);
  assert.match(counted.body.error.message, /1 that you may not read/);
  assert.equal((await get("docks/west")).status, 200);
  await patch("bays/one", { dock: null });
  assert.equal((await remove("docks/west")).status, 204);
});

test("REL-41, REL-42 references are cleared with the object, each as a change, or nothing is", async () => {
  const cleared = { reference: "tags", onDelete: "clear" };
  await schema("tag", {});
  await schema("mark", { tag: { ...text, ...cleared } });
  await schema("post", {
    tag: { ...text, ...cleared },
    tags: { type: "list", field: "list", ...cleared },
    marks: { type: "deck", field: "deck", deckref: "mark" },
  });
  await server.makeSchema({
    id: "label",
    properties: { tag: { ...text, ...cleared } },
    required: ["tag"],
    index: [],
  });
  await server.makeCollection({ id: "tags", schema: "tag" });
  await server.makeCollection({ id: "posts", schema: "post" });
  await server.makeCollection({ id: "labels", schema: "label" });
  for (const id of ["red", "blue", "green"]) await create("tags", { id });
  await create("posts", {
    id: "p",
    tag: "red",
    tags: ["red", "blue"],
    marks: [
      { id: "m", title: "Kept", tag: "red" },
      { id: "n", tag: "blue" },
    ],
  });
  const before = await get("posts/p");
  const { key } = await server.makeKey({ methods: ["DELETE"], endpoints: ["/collections/tags"] });
  assert.equal((await remove("tags/red", key)).status, 204);
  const after = await get("posts/p");
  const { tag = null, tags, marks, modified } = after.body.data;
  assert.deepEqual([tag || null, tags], [null, ["blue"]]);
  assert.deepEqual(
    marks.map((mark: Record<string, unknown>) => [mark.id, mark.title ?? "", mark.tag || null]),
    [
      ["m", "Kept", null],
      ["n", "", "blue"],
    ],
  );
  assert.ok(modified > before.body.data.modified);
  assert.notEqual(after.headers.get("etag"), before.headers.get("etag"));
  assert.deepEqual(await pointing("tags/blue"), ["posts/p marks.tag", "posts/p tags"]);
  await create("labels", { id: "l", tag: "blue" });
  const needed = await remove("tags/blue");
  assert.deepEqual([needed.status, needed.body.error.details], [409, { references: ["labels/l (tag)"] }]);
  assert.deepEqual((await get("posts/p")).body.data.tags, ["blue"]);
  const many = Array.from({ length: 101 }, (_, at) => ({ id: `many-${at}`, tag: "green" }));
  await server.request("POST", "/api/import/collections/posts/json", { body: many });
  const refused = await remove("tags/green");
  assert.deepEqual([refused.status, /More than 100/.test(refused.text)], [409, true]);
  assert.equal((await get("posts/many-3")).body.data.tag, "green");
});

test("REL-43 a bulk deletion keeps what others need, and says so", async () => {
  await create("docks", { id: "east" });
  await create("docks", { id: "north" });
  await create("bays", { id: "two", dock: "east" });
  const answer = await server.request("POST", "/api/bulk/docks", {
    body: { operation: "delete", ids: ["east", "north"], expect: 2 },
  });
  assert.equal(answer.status, 200, answer.text);
  assert.deepEqual([answer.body.data.done, answer.body.data.failed.map(({ id }: { id: string }) => id)], [1, ["east"]]);
});

/** As a release without the index of references has left the data. */
async function forgetReferences(collection: string): Promise<void> {
  const statements = [
    `DELETE FROM object_references WHERE collection = '${collection}'`,
    `UPDATE objects SET schema_rev = 'older' WHERE collection = '${collection}'`,
    `UPDATE collections SET indexed_rev = 'older' WHERE id = '${collection}'`,
  ];
  if (engine === "sqlite") {
    const database = new DatabaseSync(join(server.dataDir, ".system", "cairn.db"), { timeout: 45_000 });
    for (const sql of statements) database.exec(sql);
    database.close();
    return;
  }
  const client = new Client({ connectionString: server.env.CAIRN_DATABASE_URL });
  await client.connect();
  for (const sql of statements) await client.query(sql);
  await client.end();
}

test("REL-32, REL-44 references are indexed again after an upgrade; meanwhile nothing is deleted that may be needed", async () => {
  await create("docks", { id: "south" });
  await create("bays", { id: "three", dock: "south" });
  await forgetReferences("bays");
  const early = await get("docks/south/references");
  assert.deepEqual(early.body, { data: [], meta: { indexing: ["bays"] } });
  const refused = await remove("docks/south");
  assert.deepEqual([refused.status, refused.headers.get("retry-after")], [503, "1"]);
  await server.restart();
  await until(async () => (await get("docks/south/references")).body.meta.indexing === undefined);
  assert.deepEqual(await pointing("docks/south"), ["bays/three dock"]);
  assert.equal((await remove("docks/south")).status, 409);
});
