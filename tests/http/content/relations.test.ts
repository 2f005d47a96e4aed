// Relations over HTTP: objects that come along, references that are checked, and what points to an object.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { type Answer, type Server, startServer } from "../../harness.ts";
import { makeUser, signIn } from "../../support/sign-in.ts";

let server: Server;
const get = (path: string, key?: string | null): Promise<Answer> =>
  server.request("GET", `/api/collections/${path}`, key === undefined ? {} : { key });
const create = (collection: string, body: object): Promise<Answer> =>
  server.request("POST", `/api/collections/${collection}`, { body });
const patch = (path: string, body: object, headers: Record<string, string> = {}): Promise<Answer> =>
  server.request("PATCH", `/api/collections/${path}`, { body, headers });
const text = { type: "string", field: "text" };
const schema = (id: string, properties: object, index: string[] = ["title"]) =>
  server.makeSchema({ id, properties: { title: text, ...properties }, required: [], index });

before(async () => {
  server = await startServer();
  await schema("company", { boss: { ...text, reference: "people" } });
  await schema("person", { company: { ...text, reference: "companies" }, draft: { type: "boolean", field: "toggle" } });
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
  });
  const open = { publicOperations: ["read"] };
  await server.makeCollection({ id: "companies", schema: "company" });
  await server.makeCollection({ id: "people", schema: "person", ...open });
  await server.makeCollection({ id: "products", schema: "product", ...open });
  await server.makeCollection({ id: "recipes", schema: "recipe", ...open });
  await create("companies", { id: "acme", title: "Acme", boss: "ada" });
  await create("people", { id: "ada", title: "Ada", company: "acme" });
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
  const { body } = await server.request("GET", "/objects/recipes?expand=author");
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
