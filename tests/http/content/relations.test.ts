// Relations over HTTP: objects that come along, objects found by what they refer to, and what points to an object.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { type Answer, type Server, startServer } from "../../harness.ts";
import { asKey, asNobody } from "../../mcp/tool-caller.ts";
import { type Content, contentOf, text } from "../../support/relations.ts";
import { makeUser, signIn } from "../../support/sign-in.ts";

let server: Server;
let { get, create, patch, pointing, schema } = {} as Content;

before(async () => {
  server = await startServer({ settings: { mcp: { publicAccess: true }, api: { rateLimit: 0 } } });
  ({ get, create, patch, pointing, schema } = contentOf(server));
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
