// Previews: who makes them, and what they show to those that have the address.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { type Server, startServer } from "../../harness.ts";
import { fetchBytes, picture, upload } from "../../support/sample-files.ts";
import { makeUser, signIn } from "../../support/sign-in.ts";

let server: Server;

before(async () => {
  server = await startServer();
  const text = { type: "string", field: "text" };
  const image = { type: "image", field: "image" };
  const properties = { title: text, draft: { type: "boolean", field: "toggle" }, image };
  await server.makeSchema({ id: "story", properties, required: ["id"], index: ["id"] });
  await server.makeCollection({
    id: "news",
    schema: "story",
    url: "/news",
    prettyUrl: true,
    publicOperations: ["read"],
  });
  await server.makeCollection({ id: "loose", schema: "story" });
  for (const collection of ["news", "loose"])
    await server.request("POST", `/api/collections/${collection}`, { body: { id: "a", title: "A", draft: true } });
});
after(() => server.stop());

const make = (body: unknown, options: object = {}) => server.request("POST", "/api/previews", { body, ...options });

async function makeGroup(id: string, permissions: object): Promise<void> {
  const { status, text } = await server.request("PUT", `/api/access-groups/${id}`, { body: { permissions } });
  assert.ok(status === 200 || status === 201, text);
}

test("PREV-1, PREV-2 a preview has an address with a token, and an end", async () => {
  const { status, body } = await make({ collection: "news", id: "a", expires: "PT2H" });
  assert.equal(status, 201);
  const { url, expires } = body.data;
  assert.match(url, new RegExp(`^${server.url}/news/a\\?_preview=[\\w-]{43}$`));
  const lasts = Date.parse(expires) - Date.now();
  assert.ok(lasts > 7_000_000 && lasts <= 7_200_000, String(lasts));
  const site = await make({ path: "/*" });
  assert.match(site.body.data.url, new RegExp(`^${server.url}/\\?_preview=`));
});

test("PREV-2 bad values are refused with the property", async () => {
  const before = (await server.request("GET", "/api/previews")).body.data.length;
  for (const [body, property] of [
    [{}, "path"],
    [{ path: "about" }, "path"],
    [{ path: "//evil.example" }, "path"],
    [{ path: "/\\evil" }, "path"],
    [{ path: "/x", collection: "news", id: "a" }, "path"],
    [{ collection: "news" }, "id"],
    [{ collection: 1, id: "a" }, "collection"],
    [{ collection: "loose", id: "a" }, "collection"],
    [{ path: "/x", expires: "P8D" }, "expires"],
    [{ path: "/x", expires: "soon" }, "expires"],
    [{ path: "/x", expires: 5 }, "expires"],
    [{ path: "/x", expires: "PT0S" }, "expires"],
    [{ path: "/x", shared: "yes" }, "shared"],
  ] as const) {
    const answer = await make(body);
    assert.equal(answer.status, 400, JSON.stringify(body));
    assert.deepEqual(Object.keys(answer.body.error.details), [property], answer.text);
  }
  assert.equal((await make({ collection: "news", id: "none" })).status, 404);
  assert.equal((await server.request("GET", "/api/previews")).body.data.length, before);
});

test("PREV-1, PREV-3, PREV-4 rights: an object for its readers, a path for builders; a preview for its maker", async () => {
  await makeGroup("readers", { collections: { operations: ["read"], allowed: ["loose", "news"] } });
  await makeGroup("others", { collections: { operations: ["read"], allowed: ["loose"] } });
  for (const group of ["readers", "others"]) await makeUser(server, group, [group]);
  const [reader, other] = [await signIn(server, "readers"), await signIn(server, "others")];
  assert.equal((await make({ path: "/x" }, { key: null })).status, 401);
  assert.equal((await server.request("GET", "/api/previews", { key: null })).status, 401);
  assert.equal((await reader.request("POST", "/api/previews", { body: { path: "/x" } })).status, 403);
  const made = await reader.request("POST", "/api/previews", { body: { collection: "news", id: "a", shared: true } });
  assert.equal(made.status, 201, made.text);
  // The draft is not there for those that read the collection only because the public may.
  assert.equal((await other.request("POST", "/api/previews", { body: { collection: "news", id: "a" } })).status, 404);
  const { id } = made.body.data;
  const listed = await reader.request("GET", "/api/previews");
  assert.deepEqual(
    listed.body.data.map((preview: { id: string; shared: boolean; maker: string }) => [preview.id, preview.shared]),
    [[id, true]],
  );
  assert.doesNotMatch(listed.text, /_preview|hash/);
  assert.deepEqual((await other.request("GET", "/api/previews")).body.data, []);
  const all = await server.request("GET", "/api/previews");
  assert.ok(all.body.data.some((preview: { id: string }) => preview.id === id));
  assert.equal((await other.request("DELETE", `/api/previews/${id}`)).status, 404);
  assert.equal((await reader.request("DELETE", `/api/previews/${id}`)).status, 204);
  assert.equal((await reader.request("DELETE", `/api/previews/${id}`)).status, 404);
});

test("PREV-8 a key that sees no drafts lists and ends its own previews alone", async () => {
  const { id } = (await make({ collection: "news", id: "a" })).body.data;
  const { key } = await server.makeKey({ published: true });
  assert.deepEqual((await server.request("GET", "/api/previews", { key })).body.data, []);
  assert.equal((await server.request("DELETE", `/api/previews/${id}`, { key })).status, 404);
  assert.equal((await server.request("DELETE", `/api/previews/${id}`)).status, 204);
});

test("PREV-5, PREV-6 the preview of a path shows texts of templates that are not saved", async () => {
  await server.request("PUT", "/api/templates/pages/tried", { body: { template: "saved" } });
  const page = { id: "tried", title: "Tried", route: "/tried", template: "tried" };
  assert.equal((await server.request("POST", "/api/collections/builder-pages", { body: page })).status, 201);
  const { id, url } = (await make({ path: "/*" })).body.data;
  const templates = { "pages/tried": "not saved" };
  assert.equal((await server.request("PUT", `/api/previews/${id}/values`, { body: { templates } })).status, 204);
  const look = (query: string) =>
    server.request("GET", `/tried${query}`, { key: null, headers: { accept: "text/html" } });
  assert.match((await look(new URL(url).search)).text, /^not saved/);
  assert.match((await look("")).text, /^saved/);
  await server.request("DELETE", "/api/collections/builder-pages/tried");
  await server.request("DELETE", "/api/templates/pages/tried");
});

test("PREV-5 unsaved values come from the maker, are limited, and change no object", async () => {
  await makeGroup("writers", { collections: { operations: ["read", "update"], allowed: ["news"] } });
  await makeUser(server, "writers", ["writers"]);
  const [reader, writer] = [await signIn(server, "readers"), await signIn(server, "writers")];
  const own = await reader.request("POST", "/api/previews", { body: { collection: "news", id: "a" } });
  const refused = await reader.request("PUT", `/api/previews/${own.body.data.id}/values`, {
    body: { values: { title: "Not mine to say" } },
  });
  assert.equal(refused.status, 403, refused.text);
  const made = await writer.request("POST", "/api/previews", { body: { collection: "news", id: "a" } });
  const path = `/api/previews/${made.body.data.id}/values`;
  const put = (body: unknown) => writer.request("PUT", path, { body });
  assert.equal((await put({ values: { title: "B" } })).status, 204);
  assert.equal((await server.request("PUT", path, { body: { values: { title: "C" } } })).status, 403);
  assert.equal((await put({ templates: { "pages/news": "x" } })).status, 403);
  assert.equal((await put({ values: { title: "x".repeat(1_000_001) } })).status, 413);
  for (const [body, property] of [
    [{ values: [] }, "values"],
    [{ templates: { a: 1 } }, "templates"],
  ] as const) {
    const answer = await put(body);
    assert.equal(answer.status, 400);
    assert.deepEqual(Object.keys(answer.body.error.details), [property]);
  }
  assert.equal((await server.request("GET", "/api/collections/news/a")).body.data.title, "A");
});

test("PREV-20 images of a draft are shown by the token of its preview, and by no other", async () => {
  await server.request("POST", "/api/collections/news", { body: { id: "b", title: "B", draft: true } });
  const bytes = await picture(40, 20);
  for (const object of ["news/a", "news/b", "loose/a"])
    await upload(server, `${object}/image`, { name: "p.jpg", bytes });
  const tokenOf = async (body: unknown) => new URL((await make(body)).body.data.url).searchParams.get("_preview") ?? "";
  const [own, site, page] = [
    await tokenOf({ collection: "news", id: "a" }),
    await tokenOf({ path: "/*" }),
    await tokenOf({ path: "/about" }),
  ];
  const get = async (path: string) => {
    const { status, headers } = await fetchBytes(server, path, { key: null });
    return [status, /public/.test(String(headers["cache-control"]))];
  };
  const refused = [404, false];
  for (const file of ["/imageworks/news/a/image.jpg?w=10", "/download/news/a/image?x=1"]) {
    assert.deepEqual(await get(file), refused, file);
    assert.deepEqual(await get(`${file}&_preview=${own}`), [200, false], file);
    assert.deepEqual(await get(`${file}&_preview=${site}`), [200, false], file);
    assert.deepEqual(await get(`${file}&_preview=${page}`), refused, file);
    assert.deepEqual(await get(`${file}&_preview=${own.slice(1)}x`), refused, file);
    assert.deepEqual(await get(file), refused, file);
    assert.deepEqual(await get(`${file.replace("news/a", "news/b")}&_preview=${own}`), refused, file);
    // A collection that is not on the site stays closed.
    assert.equal((await get(`${file.replace("news/a", "loose/a")}&_preview=${site}`))[0], 401, file);
  }
});

test("PREV-21 a preview shows mistakes of templates to makers that may read them", async () => {
  const template = '{{ object.title }}{% render "nowhere" %}';
  await server.request("PUT", "/api/templates/pages/news", { body: { template } });
  const shown = async (url: string) => {
    const { pathname, search } = new URL(url);
    return server.request("GET", pathname + search, { key: null, headers: { accept: "text/html" } });
  };
  const builder = await shown((await make({ collection: "news", id: "a" })).body.data.url);
  assert.equal(builder.status, 500);
  assert.match(builder.text, /There is no partial.*pages\/news, line 1/s);
  assert.match(builder.headers.get("cache-control") ?? "", /no-store/);
  const reader = await signIn(server, "readers");
  const made = await reader.request("POST", "/api/previews", { body: { collection: "news", id: "a" } });
  const plain = await shown(made.body.data.url);
  assert.deepEqual([plain.status, /nowhere|partial/.test(plain.text)], [500, false]);
});
