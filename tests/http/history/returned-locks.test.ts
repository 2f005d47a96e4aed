// What protects files that come back: by a version, an undo and the trash.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { until } from "#base/patience.fixture.ts";
import { type Server, startServer } from "../../harness.ts";
import { upload } from "../../support/sample-files.ts";
import { makeUser, type Person, signIn } from "../../support/sign-in.ts";

let server: Server;
let outsider: Person;
let member: Person;
before(async () => {
  server = await startServer({ settings: { api: { rateLimit: 0 } } });
  const open = { type: "file", settings: { protectedByCollection: false } };
  const properties = { id: { type: "slug" }, doc: { type: "file" }, open, box: { type: "depot" } };
  await server.makeSchema({ id: "paper", properties, required: ["id"], index: ["id"] });
  await server.makeCollection({ id: "vault", schema: "paper", history: "full", groups: ["vip"] });
  await server.request("PUT", "/api/access-groups/vip", { body: { permissions: {} } });
  await makeUser(server, "ed", ["editor"]);
  await makeUser(server, "vera", ["editor", "vip"]);
  outsider = await signIn(server, "ed");
  member = await signIn(server, "vera");
});
after(() => server.stop());

const at = (id: string, property = "") => `/api/collections/vault/${id}${property && `/${property}`}`;
const statusOf = async (person: Person, path: string) => (await person.request("GET", path)).status;
const lastChange = async (id: string) =>
  (await server.request("GET", `/api/history/vault/${id}?limit=1`)).body.data[0].change as string;
const change = async (path: string, body: object, person = { request: server.request }) => {
  const { status, text } = await person.request("PATCH", path, { body });
  assert.equal(status, 200, text);
};

/** An object with a file that was open for a while; the change since which it was. */
async function makeOnceOpen(id: string, property: string, name = ""): Promise<string> {
  await server.request("POST", "/api/collections/vault", { body: { id } });
  await upload(server, `vault/${id}/${property}`, { name: "plan.txt", bytes: "the plan" });
  await change(at(id, property), { protected: false });
  const seq = await lastChange(id);
  await change(at(id, property), { protected: true });
  assert.equal(await statusOf(outsider, `/download/vault/${id}/${property}${name}`), 403);
  return seq;
}

test("PROT-21 a version opens a protected file only for callers who may fetch it", async () => {
  for (const [id, property, name] of [
    ["one", "doc", ""],
    ["two", "open", ""],
    ["three", "box", "/plan.txt"],
  ] as const) {
    const seq = await makeOnceOpen(id, property, name);
    const path = `/download/vault/${id}/${property}${name}`;
    const restore = (person: Person, properties?: string[]) =>
      person.request("POST", `/api/history/vault/${id}/${seq}/restore`, {
        ...(properties && { body: { properties } }),
      });
    await change(at(id), { [property]: null }, outsider);
    // Another file in its place changes nothing.
    if (property === "open") {
      const { status } = await outsider.request("PATCH", at(id), { body: { [property]: null } });
      assert.equal(status, 200);
      await upload(server, `vault/${id}/open`, { name: "plan.txt", bytes: "another" });
    }
    for (const properties of [undefined, [property]]) {
      const refused = await restore(outsider, properties);
      assert.deepEqual([refused.status, Object.keys(refused.body.error.details)], [403, [property]], refused.text);
    }
    assert.notEqual((await outsider.request("GET", path)).text, "the plan");
    const restored = await restore(member, [property]);
    assert.equal(restored.status, 200, restored.text);
    assert.equal((await outsider.request("GET", path)).text, "the plan");
  }
});

test("PROT-21 a file that was closed in the version comes back closed, whoever restores it", async () => {
  await makeOnceOpen("closed", "doc");
  const seq = await lastChange("closed");
  await change(at("closed"), { doc: null }, outsider);
  const { status, text } = await outsider.request("POST", `/api/history/vault/closed/${seq}/restore`, {});
  assert.equal(status, 200, text);
  assert.deepEqual(
    [await statusOf(outsider, "/download/vault/closed/doc"), await statusOf(member, "/download/vault/closed/doc")],
    [403, 200],
  );
  // So it is with the trash.
  assert.equal((await outsider.request("DELETE", at("closed"))).status, 204);
  const [{ change: deleted }] = (await server.request("GET", "/api/trash?collection=vault")).body.data;
  const back = await outsider.request("POST", `/api/trash/${deleted}/restore`, {});
  assert.equal(back.status, 200, back.text);
  assert.equal(await statusOf(outsider, "/download/vault/closed/doc"), 403);
});

test("PROT-21 an undo opens a protected file only for callers who may fetch it", async () => {
  await makeUser(server, "una", ["editor", "vip"]);
  await server.request("POST", "/api/collections/vault", { body: { id: "undone" } });
  await upload(server, "vault/undone/doc", { name: "plan.txt", bytes: "the plan" });
  await change(at("undone", "doc"), { protected: false });
  await change(at("undone", "doc"), { protected: true }, await signIn(server, "una"));
  const undo = async (groups: string[]) => {
    await change("/api/collections/auth/una", { groups });
    const una = await signIn(server, "una");
    if (!groups.includes("vip")) await change(at("undone"), { doc: null }, una);
    const by = { by: { user: "una" }, collections: ["vault"] };
    const { plan } = (await una.request("POST", "/api/undo", { body: by })).body.data;
    const started = await una.request("POST", "/api/undo", { body: { ...by, apply: plan } });
    assert.equal(started.status, 202, started.text);
    const { data } = (
      await until(
        () => server.request("GET", `/api/jobs/${started.body.data.job}`),
        ({ body }) => body.data.status === "succeeded",
      )
    ).body;
    return [data.result.failed.length, await statusOf(outsider, "/download/vault/undone/doc")];
  };
  assert.deepEqual(await undo(["editor"]), [1, 404]);
  assert.deepEqual(await undo(["editor", "vip"]), [0, 200]);
});
