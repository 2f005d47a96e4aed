// What the setting `edition` opens and closes. Data stays whatever it says, and a running server follows.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { type Server, startServer } from "../../harness.ts";
import { makeUser, type SessionHeaders, signIn } from "../../matrix/sessions.ts";

const schema = {
  id: "page",
  properties: { id: { type: "slug" }, title: { type: "string" }, parts: { type: "array", field: "deck" } },
  required: ["id"],
  index: ["id", "title"],
};

let server: Server;
let admin: SessionHeaders;
before(async () => {
  server = await startServer();
  await server.makeSchema(schema);
  await server.makeCollection({ id: "pages", schema: "page" });
  await server.makeCollection({ id: "shown", schema: "page", publicOperations: ["read"] });
  await server.request("POST", "/api/collections/pages", { body: { id: "one", parts: [{ id: "a", text: "A" }] } });
  await makeUser(server, "root", ["admin"]);
  admin = await signIn(server, "root");
});
after(() => server.stop());

async function setEdition(edition: string): Promise<void> {
  const { status, text } = await asAdmin("PUT", "/api/settings/general", { edition });
  if (status !== 200) throw new Error(text);
}

function asAdmin(method: string, path: string, body?: unknown) {
  return server.request(method, path, { key: null, headers: admin, ...(body !== undefined && { body }) });
}

const item = "/api/collections/pages/one/parts/deck";
const proOnly: [string, string, unknown?][] = [
  ["POST", item, { id: "b" }],
  ["GET", `${item}/a`],
  ["PUT", `${item}/a`, { text: "B" }],
  ["DELETE", `${item}/a`],
  ["POST", "/api/import/collections/pages/deck/json?object=one&property=parts", [{ id: "b" }]],
  ["POST", "/api/schemas", { ...schema, id: "other" }],
  ["PUT", "/api/schemas/page", { ...schema, description: "Changed" }],
  ["DELETE", "/api/schemas/page"],
  ["POST", "/api/import/schemas", { ...schema, id: "other" }],
];

for (const edition of ["lite", "standard"]) {
  test(`EDI-1 ${edition}: deck items and writes to schemas are 403 and name the edition`, async () => {
    await setEdition(edition);
    for (const [method, path, body] of proOnly) {
      const answer = await asAdmin(method, path, body);
      assert.equal(answer.status, 403, `${method} ${path}`);
      assert.match(answer.body.error.message, /Pro/);
      assert.match(answer.body.error.message, new RegExp(edition));
    }
  });

  test(`EDI-2 ${edition}: an API key counts as absent`, async () => {
    await setEdition(edition);
    assert.equal((await server.request("GET", "/api/collections/pages")).status, 401);
    assert.equal((await server.request("GET", "/api/collections/shown")).status, 200);
    assert.equal((await server.request("GET", "/api/collections/shown", { key: "cairn_wrong" })).status, 200);
    const both = await server.request("GET", "/api/collections/pages", { headers: { ...admin } });
    assert.equal(both.status, 200);
    assert.deepEqual((await server.request("GET", "/api/collections")).body.data.length, 1);
  });

  test(`EDI-2 ${edition}: a key beside a session does not replace the CSRF token`, async () => {
    await setEdition(edition);
    const { cookie } = admin;
    const body = { id: "forged" };
    assert.equal((await server.request("POST", "/api/collections/pages", { headers: { cookie }, body })).status, 403);
    assert.equal((await asAdmin("GET", "/api/collections/pages/forged")).status, 404);
  });

  test(`EDI-3 ${edition}: data stays, and everything else works`, async () => {
    await setEdition(edition);
    assert.deepEqual((await asAdmin("GET", "/api/collections/pages/one")).body.data.parts, [{ id: "a", text: "A" }]);
    assert.equal((await asAdmin("GET", "/api/schemas/page")).status, 200);
    assert.equal((await asAdmin("GET", "/api/export/collections/pages/one/parts/deck")).status, 200);
    const created = await asAdmin("POST", "/api/collections/pages", { title: edition, parts: [{ id: "x" }] });
    assert.equal(created.status, 201);
    assert.equal((await asAdmin("PUT", "/api/access-groups/team", { description: edition })).body.data.id, "team");
    assert.ok((await asAdmin("GET", "/api/apikeys")).body.data.length > 0);
    const made = await asAdmin("POST", "/api/apikeys", { name: edition, methods: ["GET"], endpoints: ["*"] });
    assert.equal(made.status, 201);
    assert.equal((await asAdmin("DELETE", `/api/apikeys/${made.body.data.id}`)).status, 204);
  });

  test(`EDI-1 ${edition}: callers that may not use the collection learn nothing of the edition`, async () => {
    await setEdition(edition);
    for (const [method, path, body] of proOnly)
      assert.equal((await server.request(method, path, { key: null, body })).status, 401, `${method} ${path}`);
  });
}

test("EDI-1, EDI-2 pro: all of it works again at once, for the key that was there before", async () => {
  for (const [edition, status] of [
    ["lite", 401],
    ["pro", 200],
  ] as const) {
    assert.equal((await server.cli(["settings:set", "edition", edition])).code, 0);
    assert.equal((await server.request("GET", `${item}/a`)).status, status, edition);
  }
  for (const [method, path, body] of proOnly) {
    const { status, text } = await server.request(method, path, { body });
    assert.ok(
      method === "DELETE" && path.endsWith("/page") ? status === 400 : status < 300,
      `${method} ${path} ${text}`,
    );
  }
});

test("EDI-4 the edition is one of lite, standard and pro", async () => {
  for (const edition of ["gold", "", "PRO"])
    assert.equal((await asAdmin("PUT", "/api/settings/general", { edition })).status, 400, edition);
  assert.equal((await asAdmin("PUT", "/api/settings/general", { edition: "standard" })).status, 200);
  assert.equal((await server.request("GET", "/api/collections/pages")).status, 401);
  assert.equal((await asAdmin("PUT", "/api/settings/general", { edition: "pro" })).status, 200);
  assert.equal((await server.request("GET", "/api/collections/pages")).status, 200);
});
