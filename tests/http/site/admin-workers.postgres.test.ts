// The build of the admin with several server processes.

import assert from "node:assert/strict";
import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { until } from "#base/patience.fixture.ts";
import { startServer } from "../../harness.ts";
import { asset, buildingEnvironment, makeInstallation, script } from "../../support/own-installation.ts";

test("ADM-1 of several workers the first process alone builds, and each waits for it", async () => {
  const place = makeInstallation();
  const server = await startServer({
    installation: place,
    env: buildingEnvironment(place),
    args: ["--workers", "2"],
  });
  await until(() => server.stderr.includes("Building the admin web app, once ..."));
  // Connections of their own, so that both workers are asked.
  const open = () => fetch(`${server.url}/admin`, { headers: { connection: "close" } });
  const waiting = Promise.all(Array.from({ length: 6 }, open));
  assert.equal((await fetch(`${server.url}/healthz`)).status, 200);
  writeFileSync(join(place, "go"), "");
  assert.deepEqual(new Set((await waiting).map(({ status }) => status)), new Set([200]));
  assert.equal(await (await fetch(`${server.url}/admin/${asset}`)).text(), script);
  await until(() => server.stderr.includes("The admin web app is ready at"));
  assert.equal(server.stderr.match(/Building the admin/g)?.length, 1);
  await server.stop();
  rmSync(place, { recursive: true });
});
