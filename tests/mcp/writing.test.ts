// Tools that write: objects, versions, files, schemas, collections.

import assert from "node:assert/strict";
import { createServer, type Server as WebServer } from "node:http";
import type { AddressInfo } from "node:net";
import { after, before, test } from "node:test";
import { propertyTypes } from "#contract/schemas.ts";
import { type Server, startServer } from "../harness.ts";
import { picture, upload } from "../support/sample-files.ts";
import { logIn, makeUser, password } from "../support/sign-in.ts";
import { type Agent, asKey } from "./tool-caller.ts";

let server: Server;
let key: Agent;
let site: WebServer;
let origin: string;
let image: Buffer;

before(async () => {
  server = await startServer({ settings: { files: { allowPrivateHosts: true } } });
  image = await picture(40, 30);
  site = createServer((request, response) =>
    response.end(request.url === "/photo.jpg" ? image : "<!doctype html><script>1</script>"),
  );
  await new Promise<void>((done) => site.listen(0, "127.0.0.1", done));
  origin = `http://127.0.0.1:${(site.address() as AddressInfo).port}`;
  await server.makeSchema({
    id: "card",
    properties: { text: { field: "text" }, photo: { field: "image" }, note: { field: "styledtext" } },
    required: [],
    index: [],
  });
  await server.makeSchema({
    id: "thing",
    properties: {
      title: { field: "text", maxLength: 40 },
      body: { field: "styledtext" },
      count: { field: "number", default: 5 },
      tags: { field: "list" },
      cover: { field: "image" },
      photos: { field: "gallery" },
      box: { field: "depot" },
      front: { field: "card", schemaref: "/schemas/card.json" },
      parts: { field: "deck", schemaref: "/schemas/card.json" },
      hidden: { field: "text", mcp: { expose: false } },
    },
    required: ["id", "title"],
    index: ["id", "title"],
    additionalProperties: false,
  });
  await server.makeCollection({ id: "things", schema: "thing", url: "/things/{id}" });
  key = await asKey(server);
});
after(async () => {
  site.close();
  await server.stop();
});

const collection = "things";
const stored = async (id: string) => (await server.request("GET", `/api/collections/things/${id}`)).body.data;
const make = (body: object) => server.request("POST", "/api/collections/things", { body });

test("MCT-30 objects are created, replaced, patched and deleted as by the REST API", async () => {
  const made = await key.ask("create_object", {
    collection,
    data: { title: "Hello There", body: "<p>x</p><script>1</script>" },
  });
  assert.deepEqual([made.id, made.title, made.body, made.count], ["hello-there", "Hello There", "<p>x</p>", 5]);
  const named = await key.ask("create_object", { collection, id: "own", data: { title: "Own", count: 7 } });
  assert.equal(named.id, "own");
  assert.match(
    await key.failing("create_object", { collection, id: "own", data: { title: "x" } }),
    /already exists.*\n(.*\n)*.*patch_object/,
  );
  assert.match(
    await key.failing("create_object", { collection, id: "a", data: { id: "b", title: "x" } }),
    /ids differ/,
  );
  const patched = await key.ask("patch_object", { collection, id: "own", data: { tags: ["a"], count: null } });
  assert.deepEqual([patched.title, patched.tags, patched.count], ["Own", ["a"], 5]);
  await key.ask("patch_object", { collection, id: "own", data: { count: 8 } });
  const cleared = await key.ask("patch_object", { collection, id: "own", data: { count: "", tags: [] } });
  assert.deepEqual([cleared.count, cleared.tags], [5, []]);
  const replaced = await key.ask("update_object", { collection, id: "own", data: { title: "Other" } });
  assert.deepEqual([replaced.title, replaced.tags], ["Other", undefined]);
  const wrong = await key.failing("patch_object", {
    collection,
    id: "own",
    data: { title: "x".repeat(41), count: "many", no: 1 },
  });
  for (const line of [/- title: /, /- count: /, /- no: /, /describe_collection/]) assert.match(wrong, line);
  assert.equal((await stored("own")).title, "Other");
  assert.match(await key.failing("patch_object", { collection, id: "nobody", data: {} }), /There is no object/);
  assert.deepEqual(await key.ask("delete_object", { collection, id: "own" }), { deleted: true, collection, id: "own" });
  assert.match(await key.failing("delete_object", { collection, id: "own" }), /There is no object/);
});

test("MCT-31 an outdated version stops the write (T29)", async () => {
  await make({ id: "versions", title: "One" });
  const { rev } = await key.ask("get_object", { collection, id: "versions" });
  const second = await key.ask("patch_object", { collection, id: "versions", data: { title: "Two" }, rev });
  assert.notEqual(second.rev, rev);
  for (const [tool, more] of [
    ["patch_object", { data: { title: "Three" } }],
    ["update_object", { data: { title: "Three" } }],
    ["delete_object", {}],
    ["upload_file", { property: "cover", url: `${origin}/photo.jpg` }],
  ] as const)
    assert.match(
      await key.failing(tool, { collection, id: "versions", rev, ...more }),
      /changed since.*\n.*get_object/,
    );
  assert.deepEqual([(await stored("versions")).title, (await stored("versions")).cover], ["Two", undefined]);
  await key.ask("update_object", { collection, id: "versions", data: { title: "Four" }, rev: second.rev });
});

test("MCT-32 files stay unchanged, and values about them are refused by name", async () => {
  await make({ id: "files", title: "F", front: { text: "t" }, parts: [{ id: "p", text: "a" }] });
  await upload(server, "things/files/cover", { name: "c.jpg", bytes: image });
  await upload(server, "things/files/photos", { name: "g.jpg", bytes: image });
  await upload(server, "things/files/front/photo", { field: "photo", name: "f.jpg", bytes: image });
  await upload(server, "things/files/parts/p/photo", { field: "photo", name: "p.jpg", bytes: image });
  const before = await stored("files");
  const data = {
    title: "New",
    front: { text: "u" },
    parts: [
      { id: "q", text: "n" },
      { id: "p", text: "b" },
    ],
  };
  await key.ask("update_object", { collection, id: "files", data });
  const after = await stored("files");
  assert.deepEqual([after.title, after.front.text, after.parts[1].text], ["New", "u", "b"]);
  assert.deepEqual([after.cover, after.photos], [before.cover, before.photos]);
  assert.deepEqual([after.front.photo, after.parts[1].photo], [before.front.photo, before.parts[0].photo]);
  await key.ask("patch_object", { collection, id: "files", data: { front: { text: "v" } } });
  assert.deepEqual((await stored("files")).front.photo, before.front.photo);
  const whole = await key.ask("get_object", { collection, id: "files", format: "html" });
  await key.ask("update_object", { collection, id: "files", data: { ...whole, count: 9 } });
  assert.deepEqual([(await stored("files")).count, (await stored("files")).cover], [9, before.cover]);

  const said = { cover: { name: "x.jpg" }, photos: [{ name: "y.jpg" }], box: "z", front: { photo: "w" } };
  for (const [tool, more] of [
    ["create_object", {}],
    ["update_object", { id: "files" }],
    ["patch_object", { id: "files" }],
  ] as const) {
    const refused = await key.failing(tool, { collection, ...more, data: { title: "N", ...said } });
    for (const name of ["cover", "photos", "box", "front.photo"])
      assert.match(refused, new RegExp(`- ${name}: `), tool);
  }
  assert.deepEqual((await stored("files")).cover, before.cover);
  assert.equal((await server.request("GET", "/download/things/files/cover")).status, 200);
});

test("MCT-33 shown values may be sent back, and are not stored", async () => {
  await make({ id: "shown", title: "S" });
  const shown = await key.ask("get_object", { collection, id: "shown" });
  assert.equal(shown.url, `${server.env.CAIRN_URL ?? ""}/things/shown`);
  await key.ask("update_object", { collection, id: "shown", data: { ...shown, collection, title: "T" } });
  const { url, rev, ...rest } = await stored("shown");
  assert.deepEqual([url, rev, rest.title], [undefined, undefined, "T"]);
  assert.match(await key.failing("patch_object", { collection, id: "shown", data: { url: "/elsewhere" } }), /- url: /);
});

test("MCT-34 a text that was only read is not taken for a new one", async () => {
  const body = "<h2>Title</h2><p>A <strong>bold</strong> word</p>";
  await make({ id: "rich", title: "R", body });
  for (const format of ["markdown", "text"]) {
    const read = await key.ask("get_object", { collection, id: "rich", format });
    assert.notEqual(read.body, body);
    await key.ask("update_object", { collection, id: "rich", data: { ...read, title: format } });
    assert.deepEqual([(await stored("rich")).title, (await stored("rich")).body], [format, body]);
  }
  await key.ask("patch_object", { collection, id: "rich", data: { body: "<p>new</p>" } });
  assert.equal((await stored("rich")).body, "<p>new</p>");
  const cut = "half a text…[cut]";
  assert.match(
    await key.failing("patch_object", { collection, id: "rich", data: { body: cut } }),
    /body: Read it whole/,
  );
});

test("MCT-38 rich text may be written as Markdown, and comes back as it was written", async () => {
  const body = "## Head\n\nOne **bold** [link](/x), 2 < 3 <b>tag</b>\n\n- a\n- b";
  const html =
    '<h2>Head</h2><p>One <strong>bold</strong> <a href="/x">link</a>, 2 &lt; 3 &lt;b&gt;tag&lt;/b&gt;</p><ul><li>a</li><li>b</li></ul>';
  const data = { title: "Marked", body, parts: [{ id: "p", note: "*soft*" }] };
  const made = await key.ask("create_object", { collection, id: "marked", data, format: "markdown" });
  assert.equal(made.body, body);
  assert.deepEqual(
    [(await stored("marked")).body, (await stored("marked")).parts[0].note],
    [html, "<p><em>soft</em></p>"],
  );
  const change = {
    title: "Again",
    body,
    parts: [
      { id: "p", note: "*soft*" },
      { id: "q", note: "new **one**" },
    ],
  };
  await key.ask("patch_object", { collection, id: "marked", data: change, format: "markdown" });
  assert.deepEqual(
    [(await stored("marked")).body, (await stored("marked")).parts.map(({ note }: { note: string }) => note)],
    [html, ["<p><em>soft</em></p>", "<p>new <strong>one</strong></p>"]],
  );
  await key.ask("patch_object", {
    collection,
    id: "marked",
    data: { body: "[x](javascript:alert(1)) y" },
    format: "markdown",
  });
  assert.doesNotMatch((await stored("marked")).body, /javascript/);
  await key.ask("patch_object", { collection, id: "marked", data: { body: "**as it is**" } });
  assert.match((await stored("marked")).body, /\*\*as it is\*\*/);
});

test("MCT-35 a replacement keeps hidden properties and passwords", async () => {
  await make({ id: "kept", title: "K", hidden: "inside" });
  await key.ask("update_object", { collection, id: "kept", data: { title: "L" } });
  assert.equal((await stored("kept")).hidden, "inside");
  await makeUser(server, "ada", ["viewer"]);
  const ada = await key.ask("get_object", { collection: "auth", id: "ada" });
  assert.equal(ada.password, undefined);
  await key.ask("update_object", { collection: "auth", id: "ada", data: { ...ada, name: "Ada" } });
  assert.equal((await logIn(server, { login: "ada", password })).status, 200);
});

test("MCT-36 a file is fetched through the guard and the gate of every upload (T32, T47)", async () => {
  await make({ id: "fetched", title: "F", parts: [{ id: "p", text: "a" }] });
  const fetched = await key.ask("upload_file", {
    collection,
    id: "fetched",
    property: "cover",
    url: `${origin}/photo.jpg`,
  });
  assert.equal(fetched.cover.name, "photo.jpg");
  const child = { collection, id: "fetched", property: "parts", path: "p/photo", url: `${origin}/photo.jpg` };
  assert.equal((await key.ask("upload_file", child)).parts[0].photo.name, "photo.jpg");
  const html = { collection, id: "fetched", property: "cover", url: `${origin}/page.html` };
  assert.match(await key.failing("upload_file", html), /not an image/);
  assert.equal((await stored("fetched")).cover.name, "photo.jpg");
  for (const [args, told] of [
    [{ property: "title" }, /takes no files/],
    [{ property: "nothing" }, /no property/],
    [{ property: "cover", url: "file:///etc/passwd" }, /http/i],
    [{ property: "cover", path: "../../x" }, /./],
  ] as const)
    assert.match(await key.failing("upload_file", { ...html, ...args }), told);
  await server.setSetting("files.allowPrivateHosts", false);
  assert.match(
    await key.failing("upload_file", { ...html, url: `${origin}/photo.jpg` }),
    /could not be (fetched|taken)|address/i,
  );
});

test("MCT-37 a small file is sent along, through the gate of every upload (T32)", async () => {
  await make({ id: "inline", title: "I", parts: [{ id: "p", text: "a" }] });
  const at = { collection, id: "inline", property: "cover" };
  const content = image.toString("base64");
  const sent = await key.ask("upload_file", { ...at, name: "../sent photo.jpg", content });
  assert.match(sent.cover.name, /^[^/]*sent photo\.jpg$/);
  assert.equal(sent.cover.size, image.length);
  // As models wrap it, and without the end that some leave out.
  const wrapped = `${content.match(/.{1,76}/g)?.join("\n")}`.replace(/=+$/, "");
  const child = { ...at, property: "parts", path: "p/photo", name: "b.jpg", content: wrapped };
  assert.equal((await key.ask("upload_file", child)).parts[0].photo.name, "b.jpg");
  const before = await stored("inline");
  const page = Buffer.from("<script>alert(1)</script>").toString("base64");
  const large = Buffer.alloc(1_048_577, 1).toString("base64");
  for (const [args, told] of [
    [{ name: "x.jpg", content: page }, /not an image/],
    [{ name: "x.jpg", content: "no base64!" }, /content: is not base64/],
    [{ name: "x.jpg", content: "A" }, /content: is not base64/],
    [{ name: "x.jpg", content: large }, /1 MiB|1398104/],
    [{ name: "x.jpg", content: `${large}AAAA` }, /1 MiB|1398104/],
    [{ content }, /name: is required/],
    [{ name: "x.jpg" }, /url: is required/],
    [{}, /url: is required/],
    [{ name: "x.jpg", url: `${origin}/photo.jpg` }, /name: /],
    [{ name: "x.jpg", content, url: `${origin}/photo.jpg` }, /content: /],
    [{ name: "x.jpg", content, rev: "0" }, /changed since/],
    [{ name: "x.jpg", content, property: "title" }, /takes no files/],
  ] as const)
    assert.match(await key.failing("upload_file", { ...at, ...args }), told, JSON.stringify(args).slice(0, 80));
  assert.deepEqual(await stored("inline"), before);
});

test("MCT-95 an answer names what was not stored", async () => {
  const properties = { title: { type: "string" } };
  await server.makeSchema({ id: "loose", properties, required: ["id"], index: ["id"] });
  await server.makeCollection({ id: "loose", schema: "loose" });
  const data = { title: "Named", nosuch: 1 };
  const made = await key.ask("create_object", { collection: "loose", id: "misspelt", data });
  assert.deepEqual([made.title, made.nosuch, made._ignored], ["Named", undefined, ["nosuch"]]);
  const sent = { collection: "loose", id: "misspelt", data: { titel: "x", title: "y" } };
  assert.deepEqual((await key.ask("patch_object", sent))._ignored, ["titel"]);
  const again = await key.ask("patch_object", { ...sent, data: { title: "z", id: "misspelt", rev: made.rev } });
  assert.equal(again._ignored, undefined);
  await key.ask("delete_object", { collection: "loose", id: "misspelt" });
});

test("MCT-40 MCT-96 schemas and collections are administered as by the REST API", async () => {
  const schema = {
    id: "made",
    description: "By an agent",
    properties: { title: { field: "text" } },
    required: ["id"],
    index: ["id"],
  };
  assert.equal((await key.ask("create_schema", { schema })).id, "made");
  assert.match(await key.failing("create_schema", { schema }), /already/);
  const updated = await key.ask("update_schema", { id: "made", schema: { ...schema, description: "Changed" } });
  assert.equal(updated.description, "Changed");
  assert.match(await key.failing("update_schema", { id: "blog", schema }), /reserved/);
  const made = await key.ask("create_collection", { id: "made-ones", schema: "made", name: "Made", url: "/made" });
  assert.deepEqual([made.id, made.name, made.url, made.mcp.access], ["made-ones", "Made", "/made", "admin"]);
  assert.match(await key.failing("create_collection", { id: "made-ones", schema: "made" }), /exists already/);
  const settings = { description: "Opened", publicOperations: ["read"] };
  const opened = await key.ask("update_collection", { collection: "made-ones", settings });
  assert.deepEqual([opened.description, opened.publicOperations, opened.url], ["Opened", ["read"], "/made"]);
  const misspelt = { collection: "made-ones", settings: { publicOperation: ["read"] } };
  assert.match(await key.failing("update_collection", misspelt), /publicOperations/);
  const { tools } = (await key.rpc("tools/list")).result;
  const described = ["create_schema", "update_schema"].map((name) => {
    const tool = tools.find((each: { name: string }) => each.name === name);
    return tool.inputSchema.properties.schema.description as string;
  });
  assert.match(described[0] as string, /deck .*schemaref.*relation/);
  assert.equal(described[0], described[1]);
  assert.match(await key.failing("delete_schema", { id: "made" }), /Collections use/);
  assert.match(await key.failing("delete_schema", { id: "blog" }), /reserved/);
  assert.match(await key.failing("delete_schema", { id: "card" }), /shape "card"/);
  await server.request("DELETE", "/api/collections/made-ones");
  assert.deepEqual(await key.ask("delete_schema", { id: "made" }), { deleted: true, id: "made" });
  assert.equal((await server.request("GET", "/api/schemas/made")).status, 404);
});

test("MCT-96 every kind of property is described, and its example can be saved", async () => {
  const { tools } = (await key.rpc("tools/list")).result;
  const tool = tools.find(({ name }: { name: string }) => name === "create_schema");
  const description: string = tool.inputSchema.properties.schema.description;
  for (const type of propertyTypes) assert.match(description, new RegExp(`[;:,] ${type}\\b`), type);
  const examples = [...description.matchAll(/\{"type":[^{}]*\}/g)].map(([text]) => JSON.parse(text));
  assert.ok(examples.length > 20, String(examples.length));
  for (const id of ["address", "ingredient"])
    await key.ask("create_schema", { schema: { id, properties: { title: { type: "string" } } } });
  const properties = Object.fromEntries(examples.map((example, n) => [`p${n}`, example]));
  const made = await key.ask("create_schema", { schema: { id: "every-kind", properties } });
  assert.equal(made._ignored, undefined);
  for (const id of ["every-kind", "address", "ingredient"]) await key.ask("delete_schema", { id });
});

test("MCT-96 keys of schemas and settings without effect are named", async () => {
  const schema = { id: "odd", properties: { title: { type: "string", hue: 1 } }, palette: [] };
  assert.deepEqual((await key.ask("create_schema", { schema }))._ignored, ["palette", "title.hue"]);
  assert.deepEqual((await key.ask("update_schema", { id: "odd", schema }))._ignored, ["palette", "title.hue"]);
  const settings = { hue: 1, mcp: { access: "admin", shade: 2 } };
  const made = await key.ask("create_collection", { id: "odd-ones", schema: "odd", settings });
  assert.deepEqual(made._ignored, ["hue", "mcp.shade"]);
  const changed = await key.ask("update_collection", { collection: "odd-ones", settings: { hue: 2, name: "Odd" } });
  assert.deepEqual([changed._ignored, changed.name], [["hue"], "Odd"]);
  await server.request("DELETE", "/api/collections/odd-ones");
  await key.ask("delete_schema", { id: "odd" });
});

test("MCT-41 MCT-42 the admin persona gets information about the site", async () => {
  const { schemas } = await key.ask("list_schemas");
  assert.deepEqual(
    schemas.find(({ id }: { id: string }) => id === "thing"),
    { id: "thing", description: "", category: "" },
  );
  assert.deepEqual((await key.ask("get_schema", { id: "thing" })).required, ["id", "title"]);
  const info = await key.ask("get_site_info");
  assert.deepEqual([info.name, info.edition, info.extensions], ["Cairn", "pro", ["cairn/docs", "cairn/scheduled"]]);
  const { extensions } = await key.ask("list_extensions");
  const maintenance = extensions.find(({ id }: { id: string }) => id === "cairn/maintenance");
  assert.deepEqual([maintenance.enabled, maintenance.state, maintenance.error], [false, "disabled", ""]);
  assert.deepEqual(await key.ask("clear_cache", { kind: "totals" }), { cleared: { totals: 0 } });
  assert.match(await key.failing("clear_cache", { kind: "list" }), /There is no cache "list"\. Did you mean "lists"\?/);
  assert.ok("images" in (await key.ask("clear_cache")).cleared);
});

test("MCT-4 a fault of the service says nothing about itself", async () => {
  const text = await key.failing("create_schema", { schema: { id: "../../x", properties: {} } });
  assert.doesNotMatch(text, /\/tmp|at .*\.ts|Error:/);
});
