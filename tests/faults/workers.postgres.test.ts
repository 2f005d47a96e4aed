// Several workers under load: one of them dies, or all are replaced.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { after, before, test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { amongOthers, until } from "#base/patience.fixture.ts";
import { repeats, type Server, send, startServer } from "../harness.ts";
import { beginLoad } from "./load.ts";

let server: Server;
const workers = () =>
  readFileSync(`/proc/${server.pid}/task/${server.pid}/children`, "utf8").trim().split(" ").map(Number);

/** On a connection of its own: one that stays open would keep the worker that has it. */
async function make(path: string, body: object): Promise<void> {
  const headers = { "x-api-key": server.key, connection: "close" };
  const { status, text } = await send(undefined, server.url, "POST", path, { body, headers });
  assert.equal(status, 201, text);
}

before(async () => {
  server = await startServer({ args: ["--workers", "2"] });
  const properties = { title: { type: "string" } };
  await make("/api/schemas", { id: "thing", properties, required: [], index: ["title"] });
  await make("/api/collections", { id: "things", schema: "thing" });
  await make("/api/collections/things", { id: "first", title: "First" });
});
after(() => server.stop());

const restarts = repeats(2, 10);
test(`START-42 SIGUSR2 under load replaces all workers, ${restarts} times, and no request fails`, async (t) => {
  const load = beginLoad(() => server, 8);
  t.after(load.stop);
  for (let round = 0; round < restarts; round += 1) {
    const enough = load.answers.length + repeats(200, 5_000);
    await until(() => load.answers.length > enough);
    const old = workers();
    process.kill(server.pid, "SIGUSR2");
    await until(() => workers().length === 2 && !workers().some((pid) => old.includes(pid)));
  }
  await load.stop();
  assert.deepEqual(load.failures, []);
  assert.deepEqual([...new Set(load.answers)].sort(), [200, 201]);
  // The figure in docs/guides/capacity.md.
  if (restarts === 10) console.error(`${load.answers.length} requests, the longest ${Math.round(load.longest)} ms`);
});

const kills = repeats(2, 10);
test(`START-40 after kill -9 of a worker each request is answered or cut off at once, ${kills} times`, async (t) => {
  const load = beginLoad(() => server, 8);
  t.after(load.stop);
  for (let round = 0; round < kills; round += 1) {
    await until(() => load.answers.length > 100);
    const victim = workers().at(-1) ?? 0;
    // Of three new connections it takes one, if it has not taken another, and never confirms it.
    process.kill(victim, "SIGSTOP");
    const answered: number[] = [];
    const look = async () => {
      const answer = await send(undefined, server.url, "GET", "/healthz", {}).catch(() => undefined);
      if (answer) answered.push(answer.status);
    };
    const looks = [look(), look(), look()];
    await until(() => answered.length >= 2);
    const waiting = [...load.running, ...looks];
    process.kill(victim, "SIGKILL");
    const ended = Promise.all(waiting).then(() => "ended");
    assert.equal(await Promise.race([ended, sleep(amongOthers(3_000), "some hang")]), "ended");
    await until(() => workers().length === 2 && !workers().includes(victim));
  }
  await load.stop();
  assert.deepEqual([...new Set(load.answers)].sort(), [200, 201]);
});
