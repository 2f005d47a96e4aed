// What browsers get of an extension: files that are meant for them, and what the admin shows of it.

import assert from "node:assert/strict";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { type Server, startServer } from "../harness.ts";
import { enableExtension, writeExtension } from "../support/extensions.ts";
import { makeUser, signIn } from "../support/sign-in.ts";

const files = {
  "index.ts": "export function register() {}",
  "secret.ts": "export const key = 1;",
  "public/map.css": "a { color: red }",
  "public/drawing.svg": "<svg xmlns='http://www.w3.org/2000/svg'/>",
  "public/page.html": "<p>page",
  "admin/page.ts":
    'import { tile } from "./lib/tile.ts";\nimport type { Odd } from "../secret.ts";\n' +
    "export default class extends HTMLElement { private size: number = tile; }",
  "admin/lib/tile.ts": "export const tile: number = 3;",
  "admin/place.ts": "export default class extends HTMLElement {}",
  "admin/odd.ts": "enum Odd { A }",
  "admin/other.ts": "export {}",
};
const page = { name: "overview", title: "Map", path: "", element: "admin/page.ts", icon: "map", nav: "content" };
const contributes = {
  adminPages: [page, { name: "odd", title: "Odd", path: "odd", element: "admin/odd.ts", frame: true }],
  fields: [{ kind: "place", type: "json", element: "admin/place.ts" }],
  formActions: [],
  assets: "public/",
};

let server: Server;
let base: string;

before(async () => {
  server = await startServer();
  writeExtension(join(server.dataDir, "extensions"), { id: "acme/map", manifest: { contributes }, files });
});
after(() => server.stop());

const get = (path: string, headers: Record<string, string> = {}) => server.request("GET", path, { key: null, headers });

test("EXT-3 files for browsers are there while the extension is enabled, and may be kept for ever", async () => {
  const list = await server.request("GET", "/api/extensions");
  const found = list.body.data.find(({ id }: { id: string }) => id === "acme/map");
  assert.equal(found.assetsBase, null);
  base = (await enableExtension(server, "acme/map")).body.data.assetsBase;
  assert.match(base, /^\/api\/ext\/acme\/map\/assets\/[0-9a-f]{16}\/$/);
  const sheet = await get(`${base}public/map.css`, { origin: "https://elsewhere.example", "x-api-key": "wrong" });
  assert.equal(sheet.text, files["public/map.css"]);
  const { headers } = sheet;
  assert.equal(headers.get("cache-control"), "public, max-age=31536000, immutable");
  assert.equal(headers.get("access-control-allow-origin"), "*");
  assert.equal(headers.get("x-content-type-options"), "nosniff");
  assert.equal(headers.get("content-type"), "text/css; charset=utf-8");
  const head = await server.request("HEAD", `${base}public/map.css`, { key: null });
  assert.deepEqual([head.status, head.text], [200, ""]);
  assert.equal((await get(`${base.replace(/[0-9a-f]{16}/, "0".repeat(16))}public/map.css`)).status, 404);
});

test("EXT-4 nothing but the declared folder, elements and what they import is sent", async () => {
  for (const file of ["admin/page.ts", "admin/lib/tile.ts", "admin/place.ts"])
    assert.equal((await get(base + file)).status, 200, file);
  const hidden = ["index.ts", "extension.json", "secret.ts", "admin/other.ts", "public", "", "public/none.css"];
  const outside = ["public/%2e%2e/index.ts", "public%2f..%2findex.ts", "..%2f..%2fmap%2findex.ts", "public/map.css%00"];
  for (const file of [...hidden, ...outside]) assert.match(String((await get(base + file)).status), /^40[04]$/, file);
});

test("EXT-5 TypeScript is answered as JavaScript; what cannot be translated says so where it is loaded", async () => {
  const { text, headers } = await get(`${base}admin/page.ts`);
  assert.equal(headers.get("content-type"), "text/javascript; charset=utf-8");
  assert.ok(!/number|private|Odd/.test(text), text);
  assert.match((await get(`${base}admin/odd.ts`)).text, /^throw new SyntaxError\("admin\/odd\.ts: .*enum/);
});

test("EXT-6 pages and drawings of an extension have no origin, and load its own files alone", async () => {
  const drawing = await get(`${base}public/drawing.svg`);
  assert.match(drawing.headers.get("content-security-policy") ?? "", /^sandbox; default-src 'none'/);
  for (const file of ["public/page.html", "~frame.html"]) {
    const { status, headers } = await get(base + file);
    assert.equal(status, 200);
    const policy = headers.get("content-security-policy") ?? "";
    assert.match(policy, /^sandbox allow-scripts allow-forms; default-src 'none'; script-src http:\/\//);
    assert.ok(policy.includes(`${base};`) && policy.includes("connect-src 'none'"), policy);
  }
  assert.equal((await get(`${base}~frame.js`)).status, 200);
});

test("EXT-7 the admin is told of an extension's parts for groups that hold it, and not of what is switched off", async () => {
  const permissions = { extensions: { all: false, allowed: ["acme/map"] } };
  await server.request("POST", "/api/access-groups", { body: { id: "mappers", permissions } });
  await makeUser(server, "holder", ["mappers"]);
  await makeUser(server, "writer", ["editor"]);
  await makeUser(server, "boss", ["admin"]);
  const startOf = async (id: string) => {
    const { request } = await signIn(server, id);
    return (await request("GET", "/api/admin")).body.data.extensions;
  };
  const [held, other, all] = [await startOf("holder"), await startOf("writer"), await startOf("boss")];
  assert.deepEqual(other, { pages: [], fields: [], formActions: [], pageSteps: [] });
  const isBundled = ({ extension }: { extension: string }) => extension.startsWith("cairn/");
  assert.deepEqual(held, { ...all, pageSteps: all.pageSteps.filter((step: never) => !isBundled(step)) });
  assert.deepEqual(held.pages[0], {
    ...{ extension: "acme/map", extensionName: "acme/map", name: "overview", title: "Map", path: "", icon: "map" },
    ...{ nav: "content", element: `${base}admin/page.ts`, frame: false, assets: base, collections: {} },
  });
  assert.equal(held.pages[1].frame, true);
  assert.equal(held.fields[0].field, "acme/map:place");
  assert.equal(held.fields[0].element, `${base}admin/place.ts`);
  const switches = { "adminPages:overview": false, "assets:all": false };
  await server.request("PATCH", "/api/extensions/acme/map", { body: { switches } });
  assert.deepEqual(
    (await startOf("holder")).pages.map(({ name }: { name: string }) => name),
    ["odd"],
  );
  for (const file of ["admin/page.ts", "public/map.css"]) assert.equal((await get(base + file)).status, 404);
  assert.equal((await get(`${base}admin/place.ts`)).status, 200);
});
