// A whole backup of a site where a collection was made anew: what the log keeps of the former one stays apart from it.

import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { until } from "#base/patience.fixture.ts";
import { cleanEnvironment, engine, type Server, startServer } from "../harness.ts";
import { makeGroup } from "../matrix/sessions.ts";
import { createDatabase } from "../support/databases.ts";
import { makeUser, signIn } from "../support/sign-in.ts";
import { importInto } from "./pair.ts";
import { cairn, visit } from "./site.ts";

interface Entry {
  change: string;
  id: string;
}

test("HIS-27 TRA-8 a restored backup keeps apart what belongs to a former collection, and gives no number twice", async () => {
  const folder = mkdtempSync(join(tmpdir(), "cairn-former-"));
  const database = engine === "postgres" ? await createDatabase() : undefined;
  const server = await startServer();
  try {
    const ask = async (method: string, path: string, body?: object) =>
      (await server.request(method, `/api/collections${path}`, body && { body })).status;
    await server.makeSchema({ id: "note", properties: { title: { type: "string", field: "text" } } });
    const make = () => server.makeCollection({ id: "kept", schema: "note", history: "full" });
    await make();
    assert.equal(await ask("POST", "/kept", { id: "priv", title: "Secret" }), 201);
    assert.equal(await ask("DELETE", "/kept?confirm=kept"), 204);
    await make();
    // The highest number is that of an object in the trash.
    assert.equal(await ask("POST", "/kept", { id: "mine", title: "Mine" }), 201);
    assert.equal(await ask("DELETE", "/kept/mine"), 204);
    const file = join(folder, "site.zip");
    assert.equal((await server.cli(["backup:create", file])).code, 0);

    const places = { CAIRN_DATA: join(folder, "there"), ...(database && { CAIRN_DATABASE_URL: database.url }) };
    const env = cleanEnvironment({ ...places, CAIRN_LOG_LEVEL: "warn" });
    const restored = await cairn(env, "backup:restore-all", file);
    assert.equal(restored.code, 0, restored.stderr);
    await visit(env, async ({ url }) => {
      const headers = { "x-api-key": server.key, "content-type": "application/json" };
      const at = async (method: string, path: string, body?: object) => {
        const answer = await fetch(`${url}/api${path}`, {
          method,
          headers,
          ...(body && { body: JSON.stringify(body) }),
        });
        const text = await answer.text();
        return { status: answer.status, data: text === "" ? undefined : JSON.parse(text).data };
      };
      const idsOf = async () => ((await at("GET", "/trash?collection=kept")).data as Entry[]).map(({ id }) => id);
      assert.equal((await at("GET", "/history/kept/priv")).status, 404);
      assert.deepEqual(await idsOf(), ["mine"]);
      // A new object is none of those in the trash.
      assert.equal((await at("POST", "/collections/kept", { id: "next", title: "Next" })).status, 201);
      assert.equal((await at("GET", "/history/kept/next")).data.length, 1);
      assert.deepEqual(await idsOf(), ["mine"]);
      assert.equal((await at("DELETE", "/collections/kept/next")).status, 204);
      assert.deepEqual(await idsOf(), ["next", "mine"]);
      const [, mine] = (await at("GET", "/trash?collection=kept")).data as Entry[];
      assert.equal((await at("POST", `/trash/${mine?.change}/restore`)).status, 200);

      assert.equal((await at("DELETE", "/collections/kept?confirm=kept")).status, 204);
      const wholes = ((await at("GET", "/trash?collection=kept")).data as Entry[]).filter(({ id }) => id === "");
      assert.equal(wholes.length, 2);
      assert.equal((await at("POST", `/trash/${wholes[1]?.change}/restore`)).status, 202);
      await until(
        () => at("GET", "/collections/kept/priv"),
        ({ status }) => status === 200,
      );
      assert.equal((await at("GET", "/history/kept/priv")).data.length, 3);
      assert.equal((await at("GET", "/history/kept/mine")).status, 404);
    });
  } finally {
    await server.stop();
    await database?.drop();
    rmSync(folder, { recursive: true, force: true });
  }
});

for (const mode of ["full", "off"])
  test(`ADM-394 HIS-27 snapshots of a former collection with history ${mode} are for the admin persona`, async () => {
    const server = await startServer();
    try {
      await server.setSetting("history.default", mode);
      const template = { template: "<h1>{{ title }}</h1>" };
      assert.equal((await server.request("PUT", "/api/templates/pages/home", { body: template })).status, 201);
      const replace = async (title: string) => {
        const objects = [{ collection: "builder-pages", id: "one", data: { title, template: "pages/home" } }];
        const { status, text } = await importInto(server, { objects });
        assert.equal(status, 200, text);
      };
      for (const title of ["First", "Second"]) await replace(title);
      const operations = ["create", "read", "update", "delete"];
      await makeGroup(server, "builders", { collections: { operations, all: true }, builder: true });
      await makeUser(server, "ed", ["builders"]);
      const editor = await signIn(server, "ed");
      const found = async (by: Pick<Server, "request">) => {
        const { body } = await by.request("GET", "/api/snapshots?kind=object&collection=builder-pages");
        return body.data.map(({ file }: { file: string }) => file) as string[];
      };
      const [former = ""] = await found(editor);
      assert.notEqual(former, "");
      const openedBy = async (by: Pick<Server, "request">) =>
        (await by.request("GET", `/api/snapshots?file=${encodeURIComponent(former)}`)).status;
      assert.deepEqual([await openedBy(editor), await openedBy(server)], [200, 200]);
      // Stamps of snapshots are in whole seconds.
      const made = Math.floor(Date.now() / 1_000);
      await until(() => Math.floor(Date.now() / 1_000) > made);
      const deleted = await server.request("DELETE", "/api/collections/builder-pages?confirm=builder-pages");
      assert.equal(deleted.status, 204);
      await replace("Of the new one");
      assert.deepEqual([await found(editor), await found(server)], [[], [former]]);
      assert.deepEqual([await openedBy(editor), await openedBy(server)], [404, 200]);
      const body = { file: former };
      assert.equal((await editor.request("POST", "/api/snapshots/restore", { body })).status, 404);
      const restored = await server.request("POST", "/api/snapshots/restore", { body });
      assert.equal(restored.status, 200, restored.text);
      // Stamps of snapshots are in whole seconds.
      await until(async () => {
        await replace(`Again ${Math.random()}`);
        return (await found(editor)).length > 0;
      });
      assert.ok(!(await found(editor)).includes(former));
    } finally {
      await server.stop();
    }
  });
