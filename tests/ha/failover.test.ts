// Two servers on a database that loses its primary again and again, with writers: no acknowledged write is lost, and clients see
// nothing but success and 503. Not part of `npm test`: `npm run test:ha`, with CAIRN_TEST_ROUNDS rounds of each kind.

import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { type HighlyAvailable, startHighlyAvailable } from "../../scripts/ha.ts";
import { cleanEnvironment, http, type Launched, launch, runCairn, send } from "../harness.ts";

const rounds = Number(process.env.CAIRN_TEST_ROUNDS ?? 1);
const writers = 8;
let database: HighlyAvailable;
const servers: Launched[] = [];
const folders: string[] = [];
let key: string;
const agent = new http.Agent({ keepAlive: true });

function environment(): Record<string, string> {
  const CAIRN_DATA = mkdtempSync(join(tmpdir(), "cairn-ha-node-"));
  folders.push(CAIRN_DATA);
  return cleanEnvironment({
    CAIRN_DATA,
    CAIRN_LOG_LEVEL: "silent",
    CAIRN_SITE_KEY: "ab".repeat(32),
    CAIRN_DATABASE_URL: database.pooled,
    CAIRN_DATABASE_DIRECT_URL: database.direct,
    CAIRN_DATABASE_PREPARE: "false",
    CAIRN_DATABASE_TIMEOUT: "PT10S",
  });
}

before(async () => {
  database = await startHighlyAvailable((line) => console.error(line));
  const env = environment();
  const prepared = await runCairn(["database:prepare"], { env });
  assert.equal(prepared.code, 0, prepared.stderr);
  await sleep(1_000);
  const made = await runCairn(["key:create", "--name", "ha", "--json"], { env });
  assert.equal(made.code, 0, made.stderr);
  ({ key } = JSON.parse(made.stdout) as { key: string });
  for (const own of [env, environment()]) servers.push(await launch(["serve", "--port", "0"], own, { isFresh: true }));
});
after(async () => {
  agent.destroy();
  for (const server of servers) await server.end("SIGTERM");
  await database?.stop();
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
});

const ask = (at: number, method: string, path: string, body?: object) =>
  send(agent, (servers[at % servers.length] as Launched).url, method, `/api/${path}`, {
    headers: { "x-api-key": key },
    ...(body && { body }),
  });

test("NOD-14 over switchovers, failovers and stopped primaries no acknowledged write is lost, and nothing but success and 503 is answered", async () => {
  const schema = { id: "thing", properties: { id: { type: "string" }, n: { type: "number" } }, required: ["id"] };
  assert.equal((await ask(0, "POST", "schemas", schema)).status, 201);
  assert.equal((await ask(0, "POST", "collections", { id: "things", schema: "thing" })).status, 201);
  const acknowledged: string[] = [];
  const refused: string[] = [];
  const surprises: string[] = [];
  let slowest = 0;
  let longestGap = 0;
  let lastWrite = performance.now();
  let isOver = false;
  const work = Array.from({ length: writers }, async (_, writer) => {
    for (let n = 0; !isOver; n++) {
      const id = `w${writer}-${n}`;
      const began = performance.now();
      const answer = await ask(writer + n, "POST", "collections/things", { id, n }).catch((error: Error) => error);
      slowest = Math.max(slowest, performance.now() - began);
      if (answer instanceof Error) surprises.push(`${id}: ${answer.message}`);
      else if (answer.status === 201) {
        acknowledged.push(id);
        longestGap = Math.max(longestGap, performance.now() - lastWrite);
        lastWrite = performance.now();
      } else if (answer.status === 503 && answer.headers.get("retry-after") !== null) refused.push(id);
      else surprises.push(`${id}: ${answer.status} ${answer.text}`);
      await sleep(answer instanceof Error || answer.status !== 201 ? 200 : 5);
    }
  });
  for (let round = 0; round < rounds; round++) {
    for (const what of [database.switchOver, database.killPrimary, database.freezePrimary]) {
      await what();
      const before = acknowledged.length;
      while (acknowledged.length < before + 50) await sleep(100);
    }
  }
  isOver = true;
  await Promise.all(work);
  const lost: string[] = [];
  for (const [at, id] of acknowledged.entries()) {
    if ((await ask(at, "GET", `collections/things/${id}`)).status !== 200) lost.push(id);
  }
  let stored = 0;
  for (const id of refused) if ((await ask(0, "GET", `collections/things/${id}`)).status === 200) stored += 1;
  console.error(
    `${rounds} rounds: ${acknowledged.length} acknowledged, ${lost.length} lost, ${refused.length} refused (${stored} of them stored), ` +
      `${surprises.length} others; slowest answer ${Math.round(slowest)} ms, longest time without a write ${Math.round(longestGap)} ms`,
  );
  assert.deepEqual(lost, []);
  assert.deepEqual(surprises, []);
});
