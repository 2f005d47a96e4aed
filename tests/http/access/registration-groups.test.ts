// What users who register may do: the groups that they get, what is asked before these read closed collections, and what is taken
// from the body of a registration.

import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { type Server, startServer } from "../../harness.ts";
import { makeUser, type Person, personOf, signIn } from "../../support/sign-in.ts";

let server: Server;
const chosen = "my-own-password-1";
const groups = "/api/access-groups";
const reading = (...allowed: string[]) => ({ collections: { operations: ["read"], all: false, allowed } });

before(async () => {
  server = await startServer({ env: { CAIRN_TRUST_PROXY: "127.0.0.1" } });
  const text = { type: "string" };
  await server.makeSchema({ id: "message", properties: { id: { type: "slug" }, text }, required: ["id"] });
  await server.makeSchema({
    id: "page",
    properties: { id: { type: "slug" }, title: text, draft: { type: "boolean" } },
    required: ["id"],
  });
  await server.makeCollection({ id: "messages", schema: "message" });
  await server.makeCollection({ id: "pages", schema: "page", publicOperations: ["read"] });
  await server.makeCollection({ id: "open", schema: "message", publicOperations: ["read"] });
  await server.request("POST", "/api/collections/messages", { body: { id: "eva", text: "Hello" } });
  await server.request("POST", "/api/collections/pages", { body: { id: "later", title: "Later", draft: true } });
  await server.request("POST", "/api/collections/pages", { body: { id: "now", title: "Now" } });
  await makeUser(server, "chief", ["admin"]);
});
after(() => server.stop());

let hosts = 0;
const post = (path: string, body: object) =>
  server.request("POST", `/api/auth/${path}`, {
    key: null,
    body,
    headers: { "x-forwarded-for": `198.51.100.${++hosts}` },
  });
const register = (id: string, more: object = {}) =>
  post("register", { email: `${id}@example.test`, password: chosen, ...more });
const put = (values: object, query = "") => server.request("PUT", `/api/settings/auth${query}`, { body: values });
const open = (ids?: string[] | null, query = "") =>
  put({ publicRegistration: ["auth"], ...(ids !== undefined && { registrationGroups: ids }) }, query);
const close = () => put({ publicRegistration: null, registrationGroups: null });

async function newcomer(id: string): Promise<Person> {
  const made = await register(id);
  assert.equal(made.status, 201, made.text);
  return personOf(server, await post("login", { email: `${id}@example.test`, password: chosen }));
}
const groupsOf = async ({ id }: Person) =>
  (await server.request("GET", `/api/collections/auth/${id}`)).body.data.groups;

test("REG-18 GRP-28 a user who registers is in the group member, and reads nothing beyond what is public", async () => {
  assert.equal((await open()).status, 200);
  const user = await newcomer("stranger");
  assert.deepEqual(await groupsOf(user), ["member"]);
  const status = async (path: string) => (await user.request("GET", path)).status;
  assert.equal(await status("/api/collections/messages"), 403);
  assert.equal(await status("/api/collections/messages/eva"), 403);
  assert.equal(await status("/api/collections/pages/later"), 404);
  assert.equal(await status("/api/collections/pages/now"), 200);
  assert.equal(await status("/api/changes/stream?collections=messages&include=object"), 403);
  assert.equal(await status("/api/schemas"), 403);
  assert.equal((await user.request("GET", "/api/collections/pages")).body.data.length, 1);
  const kept = await server.request("GET", "/api/collections/messages", { key: null });
  assert.equal(kept.status, 401);
  await close();
});

test("REG-19 the shipped group member grants nothing, can be changed, and cannot be deleted", async () => {
  const { body } = await server.request("GET", `${groups}/member`);
  assert.deepEqual(body.data.permissions.collections, { operations: [], all: false, allowed: [] });
  assert.equal(body.data.permissions.docs, false);
  const changed = { description: "Ours", permissions: { docs: true } };
  assert.equal((await server.request("PUT", `${groups}/member`, { body: changed })).status, 200);
  assert.equal((await server.request("GET", `${groups}/member`)).body.data.permissions.docs, true);
  assert.equal((await server.request("DELETE", `${groups}/member`)).status, 400);
  assert.equal((await server.request("POST", groups, { body: { id: "member" } })).status, 400);
  assert.equal((await server.request("PUT", `${groups}/member`, { body: {} })).status, 200);
});

test("REG-20 an empty list, an unknown group and admin are refused as groups of users who register", async () => {
  for (const registrationGroups of [[], ["nobody-has-it"], ["admin"], ["member", "admin"], "member", [1]]) {
    const answer = await put({ registrationGroups });
    assert.equal(answer.status, 400, JSON.stringify(registrationGroups));
    assert.deepEqual(Object.keys(answer.body.error.details), ["auth.registrationGroups"]);
  }
  const unset = await server.request("GET", "/api/settings/auth");
  assert.deepEqual(unset.body.data.registrationGroups, ["member"]);
});

test("REG-21 a group that the setting names stays; users of groups that are gone have no right of default", async () => {
  await server.request("PUT", `${groups}/readers`, { body: { permissions: reading("messages") } });
  await server.request("PUT", `${groups}/others`, { body: {} });
  assert.equal((await open(["readers"], "?confirm=registration")).status, 200);
  const user = await newcomer("reader");
  assert.deepEqual(await groupsOf(user), ["readers"]);
  assert.equal((await user.request("GET", "/api/collections/messages/eva")).status, 200);
  const kept = await server.request("DELETE", `${groups}/readers`);
  assert.equal(kept.status, 400);
  assert.match(kept.text, /auth\.registrationGroups/);
  assert.equal((await open(["others"])).status, 200);
  assert.equal((await server.request("DELETE", `${groups}/readers`)).status, 204);
  assert.equal((await user.request("GET", "/api/collections/messages/eva")).status, 403);
  await close();
});

test("REG-22 opening registration to groups that read closed collections or drafts must be confirmed", async () => {
  await server.request("PUT", `${groups}/insiders`, { body: { permissions: reading("messages", "pages", "open") } });
  const asked = await open(["insiders"]);
  assert.equal(asked.status, 409);
  assert.deepEqual(asked.body.error.details, { collections: ["messages", "pages"] });
  assert.deepEqual((await server.request("GET", "/api/settings/auth")).body.data.publicRegistration, []);
  for (const group of ["viewer", "default", "editor"]) {
    const all = await open([group]);
    assert.equal(all.status, 409, group);
    assert.ok(all.body.error.details.collections.includes("messages"), group);
    assert.ok(all.body.error.details.collections.includes("*"), group);
  }
  assert.equal((await open(["insiders"], "?confirm=something")).status, 400);
  assert.equal((await open(["insiders"], "?confirm=registration")).status, 200);
  // It stands: other settings of the section ask nothing.
  assert.equal((await put({ usePasskeys: true, publicRegistration: ["auth"] })).status, 200);
  assert.equal((await open(["member"])).status, 200);
  assert.equal((await open(["insiders"])).status, 409);
  assert.equal((await put({ registrationGroups: ["member", "viewer"] })).status, 409);
  await close();
  // While it is closed the groups may be anything.
  assert.equal((await put({ registrationGroups: ["insiders"] })).status, 200);
  assert.equal((await put({ publicRegistration: ["auth"] })).status, 409);
  await close();
});

test("REG-22 while registration is open a group of new users does not grow unasked", async () => {
  await server.request("PUT", `${groups}/growing`, { body: { permissions: reading("open") } });
  assert.equal((await open(["growing"])).status, 200);
  const save = (permissions: object, query = "") =>
    server.request("PUT", `${groups}/growing${query}`, { body: { permissions } });
  const asked = await save(reading("open", "messages"));
  assert.equal(asked.status, 409);
  assert.deepEqual(asked.body.error.details, { collections: ["messages"] });
  const updating = { collections: { operations: ["update"], all: false, allowed: ["messages"] } };
  assert.equal((await save(updating)).status, 409);
  assert.equal((await save(reading("open", "messages"), "?confirm=registration")).status, 200);
  assert.equal((await save({ ...reading("open", "messages"), docs: true })).status, 200);
  assert.equal((await save(reading("open", "messages", "pages"))).status, 409);
  assert.equal(
    (await server.request("PUT", `${groups}/apart`, { body: { permissions: reading("messages") } })).status,
    201,
  );
  await close();
  assert.equal((await save(reading("messages", "pages"))).status, 200);
});

test("REG-23 the command line asks for --yes, and says what new users may do", async () => {
  const set = (...args: string[]) => server.cli(["settings:set", ...args]);
  const opened = await set("auth.publicRegistration", '["auth"]');
  assert.equal(opened.code, 0, opened.stderr);
  assert.match(opened.stdout, /New users are in the group member, which may do nothing beyond what is public\./);
  const asked = await set("auth.registrationGroups", '["viewer"]');
  assert.equal(asked.code, 1);
  assert.match(asked.stderr, /messages, pages/);
  assert.match(asked.stderr, /--yes/);
  const sure = await set("auth.registrationGroups", '["viewer"]', "--yes");
  assert.equal(sure.code, 0, sure.stderr);
  assert.match(sure.stdout, /New users are in the group viewer, which may read .*messages/);
  await set("auth.registrationGroups", '["growing"]');
  const json = JSON.stringify({ permissions: { collections: { operations: ["read"], all: true } } });
  assert.equal((await server.cli(["group:set", "growing", "--data-json", json])).code, 1);
  assert.equal((await server.cli(["group:set", "growing", "--data-json", json, "--yes"])).code, 0);
  await close();

  const folder = mkdtempSync(join(tmpdir(), "cairn-checkout-"));
  const settings = { auth: { publicRegistration: ["auth"], registrationGroups: ["viewer"] } };
  writeFileSync(join(folder, "settings.json"), JSON.stringify(settings));
  const deploy = (...args: string[]) => server.cli(["deploy", folder, "--skip-cache", ...args]);
  assert.equal((await deploy()).code, 1);
  assert.deepEqual((await server.request("GET", "/api/settings/auth")).body.data.publicRegistration, []);
  assert.equal((await deploy("--yes")).code, 0);
  rmSync(folder, { recursive: true });
  await close();
});

test("REG-24 the system report names open registration that gives too much", async () => {
  const levels = async () => {
    const { body } = await server.request("GET", "/api/system");
    const checks: { id: string; level: string }[] = body.data.checks;
    return Object.fromEntries(
      checks.flatMap(({ id, level }) => (id.startsWith("registration-") ? [[id.slice(13), level]] : [])),
    );
  };
  assert.deepEqual(await levels(), {});
  await open();
  assert.deepEqual(await levels(), { reads: "good", default: "good", unproven: "good" });
  await makeUser(server, "early");
  await put({ registrationGroups: ["viewer"] }, "?confirm=registration");
  await server.request("PUT", "/api/settings/smtp", { body: { host: "127.0.0.1", from: "a@example.test" } });
  assert.deepEqual(await levels(), { reads: "warn", default: "warn", unproven: "warn" });
  await server.request("PATCH", "/api/collections/auth/settings", { body: { requireEmailVerification: true } });
  await server.request("DELETE", "/api/collections/auth/early");
  await put({ registrationGroups: null });
  assert.deepEqual(await levels(), { reads: "good", default: "good", unproven: "good" });
  await server.request("PATCH", "/api/collections/auth/settings", { body: { requireEmailVerification: false } });
  await server.request("PUT", "/api/settings/smtp", { body: { host: null, from: null } });
  await close();
});

test("REG-25 a registration takes the properties that the settings allow; X-Ignored names the others", async () => {
  await open();
  const made = await register("namely", { name: "Nan", address: "Lane 1", plan: "gold", groups: ["admin"] });
  assert.equal(made.status, 201);
  assert.equal(made.headers.get("x-ignored"), "address;in=body, plan;in=body, groups;in=body");
  const [user] = (await server.request("GET", "/api/collections/auth?filter[email]=namely@example.test")).body.data;
  assert.deepEqual([user.name, user.address, user.plan, user.groups], ["Nan", undefined, undefined, ["member"]]);
  assert.equal((await register("plain", { name: "Pla" })).headers.get("x-ignored"), null);
  for (const name of ["groups", "active", "expiration", "maxLoginCount", "loginCount", "lastlogin", "passkeys", "id"]) {
    const refused = await put({ registrationProperties: ["name", name] });
    assert.equal(refused.status, 400, name);
    assert.deepEqual(Object.keys(refused.body.error.details), ["auth.registrationProperties"]);
  }
  assert.equal((await put({ registrationProperties: [] })).status, 200);
  assert.equal((await register("nameless", { name: "No" })).headers.get("x-ignored"), "name;in=body");
  await put({ registrationProperties: null });
  await close();
});

test("REG-18 a user who was made by an administrator is in no group of those who register", async () => {
  await makeUser(server, "made");
  const made = await signIn(server, "made");
  assert.deepEqual(await groupsOf(made), []);
  assert.equal((await made.request("GET", "/api/collections/messages/eva")).status, 200);
});
