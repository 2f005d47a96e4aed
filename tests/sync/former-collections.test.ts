// A whole backup of a site where a collection was made anew: what the log keeps of the former one stays apart from it.

import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { until } from "#base/patience.fixture.ts";
import { cleanEnvironment, engine, startServer } from "../harness.ts";
import { createDatabase } from "../support/databases.ts";
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
