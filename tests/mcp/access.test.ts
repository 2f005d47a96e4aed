// Who may what over MCP: scopes, groups and exposure together, held against the REST API and against the lists.

import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { type Answer, type Server, startServer } from "../harness.ts";
import { makeClient, connect as obtain } from "../support/oauth-app.ts";
import { makeUser, type Person, signIn } from "../support/sign-in.ts";
import { type Agent, connect, type Reply } from "./tool-caller.ts";

let server: Server;
const agents = new Map<string, Agent>();
const headers = new Map<string, Record<string, string>>();

const everything = "cms:read cms:write cms:admin mcp:tools mcp:resources mcp:prompts";
const usual = "cms:read cms:write mcp:tools mcp:resources mcp:prompts";

/** The name says whose token it is; `scope` what it was asked for. */
const tokens: [name: string, user: string, scope: string][] = [
  ["elevated admin", "root", everything],
  ["plain admin", "root", usual],
  ["editor", "editor", usual],
  ["editor with read", "editor", "cms:read mcp:tools"],
  ["editor with tools alone", "editor", "mcp:tools"],
  ["editor with resources alone", "editor", "mcp:resources"],
  ["viewer", "viewer", usual],
  ["writer", "writer", usual],
  ["architect", "architect", everything],
  ["curator", "curator", everything],
  ["stranger", "stranger", usual],
];
const all = () => [...agents.keys()];

const exposures = ["public", "authenticated", "admin"] as const;
const grant = (operations: string[], allowed: string[]) => ({ collections: { operations, allowed } });

before(async () => {
  server = await startServer({
    hasOAuth: true,
    settings: { mcp: { publicAccess: true, publicIpPerMinute: 0 }, api: { rateLimit: 0 } },
  });
  const properties = { title: { field: "text" }, draft: { field: "toggle" } };
  await server.makeSchema({ id: "note", properties, required: ["id"], index: ["id", "title"] });
  for (const access of exposures) {
    const publicOperations = ["create", "read", "update", "delete"];
    const mcp = { access, resource: true };
    await server.makeCollection({ id: `${access}-notes`, schema: "note", mcp });
    await server.makeCollection({ id: `open-${access}-notes`, schema: "note", mcp, publicOperations });
    for (const id of [`${access}-notes`, `open-${access}-notes`]) {
      await server.request("POST", `/api/collections/${id}`, { body: { id: "a", title: "Stone" } });
      await server.request("POST", `/api/collections/${id}`, { body: { id: "d", title: "Draft stone", draft: true } });
    }
  }
  for (const [id, permissions] of Object.entries({
    writer: grant(["create", "update"], ["authenticated-notes", "public-notes", "admin-notes"]),
    architect: {
      schemas: { operations: ["create", "read", "update", "delete"], all: true },
      collectionsMeta: { operations: ["create", "read"], all: true },
    },
    curator: { schemas: { operations: ["update"], allowed: ["note"] }, utils: { allowed: ["cache"] } },
    stranger: grant(["read"], ["elsewhere"]),
  }))
    await server.request("PUT", `/api/access-groups/${id}`, { body: { id, permissions } });
  const client = await makeClient(server);
  const users = {
    root: "admin",
    editor: "editor",
    viewer: "viewer",
    writer: "writer",
    architect: "architect",
    curator: "curator",
    stranger: "stranger",
  };
  const people = new Map<string, Person>();
  for (const [id, group] of Object.entries(users)) {
    await makeUser(server, id, [group]);
    people.set(id, await signIn(server, id));
  }
  headers.set("nobody", {}).set("key", { "x-api-key": server.key });
  for (const [name, user, scope] of tokens) {
    const { accessToken } = await obtain(server, people.get(user) as Person, { client, scope });
    headers.set(name, { authorization: `Bearer ${accessToken}` });
  }
  for (const [name, sent] of headers) agents.set(name, await connect(server, sent));
});
after(() => server.stop());

const agent = (name: string) => agents.get(name) as Agent;
const passes = ({ result }: Reply) => result !== undefined && result.isError !== true;
const rest = (name: string, method: string, path: string, body?: object): Promise<Answer> =>
  server.request(method, `/api/collections/${path}`, {
    key: null,
    headers: headers.get(name) ?? {},
    ...(body && { body }),
  });

let count = 0;
const fresh = () => {
  count += 1;
  return `new-${count}`;
};

/** The same question by both doors. */
const questions: Record<
  string,
  (at: string, id: string) => { tool: string; args: object; rest: [string, string, object?] }
> = {
  query: (at) => ({ tool: "query_collection", args: { collection: at }, rest: ["GET", `${at}/query`] }),
  describe: (at) => ({ tool: "describe_collection", args: { collection: at }, rest: ["GET", `${at}/schema`] }),
  search: (at) => ({
    tool: "search_collection",
    args: { collection: at, query: "stone" },
    rest: ["GET", `${at}?search=stone`],
  }),
  get: (at) => ({ tool: "get_object", args: { collection: at, id: "a" }, rest: ["GET", `${at}/a`] }),
  "get a draft": (at) => ({ tool: "get_object", args: { collection: at, id: "d" }, rest: ["GET", `${at}/d`] }),
  "get nothing": (at) => ({ tool: "get_object", args: { collection: at, id: "zz" }, rest: ["GET", `${at}/zz`] }),
  create: (at, id) => ({
    tool: "create_object",
    args: { collection: at, data: { id } },
    rest: ["POST", at, { id: `${id}-r` }],
  }),
  update: (at, id) => ({
    tool: "update_object",
    args: { collection: at, id, data: { title: "x" } },
    rest: ["PUT", `${at}/${id}`, { title: "x" }],
  }),
  patch: (at, id) => ({
    tool: "patch_object",
    args: { collection: at, id, data: { title: "y" } },
    rest: ["PATCH", `${at}/${id}`, { title: "y" }],
  }),
  delete: (at, id) => ({ tool: "delete_object", args: { collection: at, id }, rest: ["DELETE", `${at}/${id}-r`] }),
};

test("MCT-51 both doors give the same verdict wherever authenticated callers are exposed to a collection (T15, T101)", async (t) => {
  const at = "authenticated-notes";
  const wrong: string[] = [];
  for (const name of all()) {
    for (const [what, question] of Object.entries(questions)) {
      const id = fresh();
      const isChange = what === "update" || what === "patch" || what === "delete";
      if (isChange)
        for (const made of [id, `${id}-r`])
          await server.request("POST", `/api/collections/${at}`, { body: { id: made } });
      const asked = question(at, id);
      const byMcp = passes(await agent(name).call(asked.tool, asked.args));
      const byRest = (await rest(name, ...asked.rest)).status < 300;
      if (byMcp !== byRest) wrong.push(`${name}: ${what} passes by MCP: ${byMcp}, by REST: ${byRest}`);
    }
  }
  t.diagnostic(`${all().length * Object.keys(questions).length} cells`);
  assert.deepEqual(wrong, []);
});

test("MCT-52 MCT-53 MCT-54 exposure, groups and scopes decide together", async () => {
  const readers = {
    "public-notes": all().filter((name) => !/alone/.test(name)),
    "authenticated-notes": ["key", "elevated admin", "plain admin", "editor", "editor with read", "viewer"],
    "admin-notes": ["key", "elevated admin"],
  };
  const draftReaders = ["key", "elevated admin", "plain admin", "editor", "editor with read", "viewer"];
  const writers = {
    "public-notes": ["key", "elevated admin", "plain admin", "editor", "writer"],
    "authenticated-notes": ["key", "elevated admin", "plain admin", "editor", "writer"],
    "admin-notes": ["key", "elevated admin"],
  };
  const who = async (tool: string, args: () => object) => {
    const found: string[] = [];
    for (const name of all()) if (passes(await agent(name).call(tool, args()))) found.push(name);
    return found;
  };
  for (const access of exposures) {
    for (const prefix of ["", "open-"]) {
      const collection = `${prefix}${access}-notes`;
      const plain = `${access}-notes` as keyof typeof readers;
      assert.deepEqual(
        (await who("get_object", () => ({ collection, id: "a" }))).sort(),
        [...readers[plain]].sort(),
        collection,
      );
      assert.deepEqual(
        (await who("get_object", () => ({ collection, id: "d" }))).sort(),
        draftReaders.filter((name) => readers[plain].includes(name)).sort(),
        `drafts of ${collection}`,
      );
      // The writer's group names the plain collections only.
      const expected = writers[plain].filter((name) => prefix === "" || name !== "writer");
      assert.deepEqual(
        (await who("create_object", () => ({ collection, data: { id: fresh() } }))).sort(),
        expected.sort(),
        collection,
      );
    }
  }
});

test("MCT-50 MCT-56 a tool that is not listed cannot be called, and one that is can (T101)", async (t) => {
  const known = await agent("key").tools();
  const wrong: string[] = [];
  for (const name of all()) {
    const listed = await agent(name).tools();
    for (const tool of known) {
      const { status, result, error } = await agent(name).call(tool, { no_such_argument: 1 });
      const isKnown = result?.isError === true;
      const isRefused = error !== undefined && (status === 403 || error.code === -32602);
      if (listed.includes(tool) ? !isKnown : !isRefused)
        wrong.push(`${name}: ${tool} ${status} ${JSON.stringify(error)}`);
    }
  }
  t.diagnostic(`${known.length * all().length} cells`);
  assert.deepEqual(wrong, []);
});

test("MCT-50 MCT-41 MCT-42 MCT-56 each persona is shown its tools", async () => {
  const reading = [
    "describe_collection",
    "get_object",
    "list_collections",
    "list_references",
    "query_collection",
    "search_collection",
    "search_collections",
  ];
  const resources = [...reading, "get_resource"];
  const writing = [
    ...["create_object", "update_object", "patch_object", "upload_file"],
    ...["object_history", "restore_version", "undo_my_changes"],
  ];
  const schemas = ["create_schema", "update_schema", "delete_schema", "create_collection"];
  const admin = ["update_collection", "list_schemas", "get_schema", "get_site_info", "list_extensions", "clear_cache"];
  const expected: Record<string, string[]> = {
    nobody: resources,
    key: [...resources, ...writing, "delete_object", ...schemas, ...admin],
    "elevated admin": [...resources, ...writing, "delete_object", ...schemas, ...admin],
    "plain admin": [...resources, ...writing, "delete_object"],
    editor: [...resources, ...writing, "delete_object"],
    "editor with read": [...reading, "object_history"],
    "editor with tools alone": [],
    "editor with resources alone": [],
    viewer: resources,
    writer: [...resources, ...writing],
    architect: [...resources, ...schemas],
    curator: [...resources, "update_schema", "clear_cache"],
    stranger: resources,
  };
  for (const name of all()) {
    const shown = (await agent(name).tools()).filter((tool) => !tool.includes("_view") && !tool.startsWith("docs_"));
    assert.deepEqual(shown.sort(), expected[name]?.sort(), name);
  }
});

test("MCT-50 a call without the scope changes nothing (T101)", async () => {
  const schema = { id: "smuggled", properties: { title: { field: "text" } }, required: ["id"], index: ["id"] };
  for (const name of all().filter((each) => !["key", "elevated admin", "architect"].includes(each)))
    assert.equal(passes(await agent(name).call("create_schema", { schema })), false, name);
  assert.equal(existsSync(join(server.dataDir, ".schemas", "smuggled.json")), false);
  assert.ok(passes(await agent("architect").call("create_schema", { schema })));
  assert.equal(passes(await agent("curator").call("update_schema", { id: "smuggled", schema })), false);
});

test("MCT-7 the input schemas name the collections that the caller may use", async () => {
  const { tools } = (await agent("writer").rpc("tools/list")).result;
  const of = (name: string) => tools.find((tool: { name: string }) => tool.name === name).inputSchema.properties;
  assert.deepEqual(of("create_object").collection.enum, ["authenticated-notes", "public-notes"]);
  assert.deepEqual(of("get_object").collection.enum, ["open-public-notes", "public-notes"]);
  assert.equal(of("create_object").data.properties, undefined);
  await server.request("PATCH", "/api/collections/public-notes/settings", { body: { mcp: { access: "admin" } } });
  const after = (await agent("writer").rpc("tools/list")).result.tools;
  const { data, collection } = after.find((tool: { name: string }) => tool.name === "create_object").inputSchema
    .properties;
  assert.deepEqual([collection.enum, Object.keys(data.properties)], [["authenticated-notes"], ["title", "draft"]]);
  await server.request("PATCH", "/api/collections/public-notes/settings", {
    body: { mcp: { access: "public", resource: true } },
  });
});

test("MCT-58 a right that is taken away is gone with the next call (T66)", async () => {
  const create = () =>
    agent("writer").call("create_object", { collection: "authenticated-notes", data: { id: fresh() } });
  assert.ok(passes(await create()));
  const group = { id: "writer", permissions: grant(["update"], ["authenticated-notes"]) };
  await server.request("PUT", "/api/access-groups/writer", { body: group });
  const refused = await create();
  assert.equal(refused.error?.code, -32602);
  assert.ok(!(await agent("writer").tools()).includes("create_object"));
});

test("MCT-71 MCT-73 resources take their own scope, and no other", async () => {
  const uri = "cairn://authenticated-notes/a";
  const read = async (name: string) => (await agent(name).rpc("resources/read", { uri })).result !== undefined;
  const listed = async (name: string) =>
    (await agent(name).rpc("resources/list")).result?.resources.map((resource: { uri: string }) => resource.uri) ?? [];
  assert.deepEqual(
    [
      await read("editor with resources alone"),
      await read("editor with read"),
      await read("stranger"),
      await read("nobody"),
    ],
    [true, false, false, false],
  );
  assert.ok((await listed("editor with resources alone")).includes("cairn://authenticated-notes/"));
  assert.deepEqual(await listed("editor with read"), []);
  assert.deepEqual(await listed("nobody"), ["cairn://open-public-notes/", "cairn://public-notes/"]);
  assert.equal(passes(await agent("editor").call("get_resource", { uri })), true);
  assert.equal(passes(await agent("editor with read").call("get_resource", { uri })), false);
});

test("MCT-83 a token uses prompts with their scope alone, and is shown them without", async () => {
  await server.request("POST", "/api/collections/mcp-prompt", {
    body: { name: "hello", body: "Hi", access: "authenticated" },
  });
  const listed = async (name: string) => (await agent(name).rpc("prompts/list")).result.prompts.length;
  assert.deepEqual([await listed("editor"), await listed("editor with read"), await listed("nobody")], [1, 1, 0]);
  const used = async (name: string) => (await agent(name).rpc("prompts/get", { name: "hello" })).result !== undefined;
  assert.deepEqual([await used("editor"), await used("editor with read"), await used("nobody")], [true, false, false]);
});

test("MCT-140 MCT-141 through /mcp a limited key opens no collection and writes no definition, and the error says what would", async () => {
  const made = async (endpoints: string[]) => {
    const body = { name: "agent", methods: ["GET", "POST", "PUT", "PATCH", "DELETE"], endpoints };
    return (await server.request("POST", "/api/apikeys", { body })).body.data.key as string;
  };
  const schema = { id: "planted", properties: { title: { type: "string" } } };
  const writes: [tool: string, args: object][] = [
    ["update_collection", { collection: "admin-notes", settings: { publicOperations: ["read"] } }],
    ["create_collection", { id: "planted", schema: "note" }],
    ["create_schema", { schema }],
    ["update_schema", { id: "note", schema: { ...schema, id: "note" } }],
    ["delete_schema", { id: "note" }],
  ];
  for (const endpoints of [["/mcp"], ["/mcp", "/collections", "/schemas", "/templates", "/import"]]) {
    const limited = await connect(server, { "x-api-key": await made(endpoints) });
    const listed = await limited.tools();
    for (const [tool, args] of writes) {
      assert.ok(!listed.includes(tool), tool);
      const error = await limited.failing(tool, args);
      for (const cure of ["endpoint *", "cms:admin"]) assert.ok(error.includes(cure), `${tool}: ${error}`);
    }
    // It reads them, and writes objects.
    assert.equal((await limited.ask("get_schema", { id: "note" })).id, "note");
    await limited.ask("patch_object", { collection: "admin-notes", id: "a", data: { title: "Stone" } });
  }
  assert.equal((await server.request("GET", "/api/collections/admin-notes/a", { key: null })).status, 401);
  for (const path of ["/api/schemas/planted", "/api/collections/planted"])
    assert.equal((await server.request("GET", path)).status, 404, path);
  assert.ok((await agent("key").tools()).includes("update_collection"));
});
