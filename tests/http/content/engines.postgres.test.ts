// Both engines give the same answers: the same random content in each, the same random requests to both, compared byte by byte.
// CAIRN_TEST_SEED and CAIRN_TEST_REQUESTS ask for other content, or for more.

import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { type Answer, type Server, startServer } from "../../harness.ts";
import { makeRandomContent } from "../../support/random-content.ts";

const seed = Number(process.env.CAIRN_TEST_SEED ?? 1);
const requests = Number(process.env.CAIRN_TEST_REQUESTS ?? 60);
const objects = Number(process.env.CAIRN_TEST_OBJECTS ?? 60);
const content = makeRandomContent(seed, objects);
const folder = mkdtempSync(join(tmpdir(), "cairn-engines-"));
let servers: [Server, Server];

before(async () => {
  const CAIRN_URL = "https://site.test";
  servers = await Promise.all([
    startServer({ env: { CAIRN_URL } }),
    startServer({ dataDir: folder, env: { CAIRN_URL, CAIRN_DATABASE_URL: "" } }),
  ]);
  await Promise.all(servers.map(fill));
});
after(async () => {
  await Promise.all(servers.map((server) => server.stop()));
  rmSync(folder, { recursive: true, force: true });
});

async function fill(server: Server): Promise<void> {
  for (const schema of content.schemas) await server.makeSchema(schema);
  await server.makeCollection({ id: "mixed", schema: "mixed", publicOperations: ["read"] });
  const imported = await server.request("POST", "/api/import/collections/mixed/json", { body: content.objects });
  if (imported.body.import_count !== objects) throw new Error(imported.text);
}

function addressOf(path: string): string {
  const [, door, format, query] = /^\/(export|report)\/(\w+)(.*)$/.exec(path) ?? [];
  return door ? `/api/${door}/collections/mixed/${format}${query}` : `/api/collections/mixed${path}`;
}

/** But for what differs with every answer, and for tags, which name rows. */
function shown({ status, headers, text }: Answer): unknown {
  const own = /^(date|etag|x-request-id|x-ratelimit-(remaining|reset))$/;
  return { status, headers: [...headers].filter(([name]) => !own.test(name)), text };
}

/** How the two answer, and the cursor to go on with. */
async function ask(path: string, key?: null): Promise<{ answers: unknown[]; cursor: string | null; status: number }> {
  const options = key === null ? { key } : {};
  const both = await Promise.all(servers.map((server) => server.request("GET", path, options)));
  const [first] = both as [Answer, Answer];
  return { answers: both.map(shown), cursor: first.headers.get("x-next-cursor"), status: first.status };
}

test("STO-90 random requests are answered alike by both engines, byte by byte", async () => {
  let good = 0;
  for (let at = 0; at < requests; at += 1) {
    const path = addressOf(content.nextPath());
    const key = at % 4 === 0 ? null : undefined;
    let { answers, cursor, status } = await ask(path, key);
    assert.deepEqual(answers[0], answers[1], path);
    if (status === 200) good += 1;
    for (let pages = 0; cursor !== null && pages < 3; pages += 1) {
      const next = `${path.replace(/offset=\d+&?/, "")}&cursor=${cursor}`;
      ({ answers, cursor, status } = await ask(next, key));
      assert.deepEqual(answers[0], answers[1], next);
    }
  }
  assert.ok(good > requests / 3, `only ${good} of ${requests} were answered`);
});

test("STO-90 single objects are alike too", async () => {
  for (const { id } of content.objects.slice(0, 20)) {
    const { answers } = await ask(`/api/collections/mixed/${id}`);
    assert.deepEqual(answers[0], answers[1]);
  }
});
