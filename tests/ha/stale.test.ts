// Reads through a second node right after acknowledged writes, behind PgBouncer and with a replica: no answer is older than the write. Not
// part of `npm test`: `npm run test:ha -- stale`, with CAIRN_HA_READS reads.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { Client } from "pg";
import { type Bouncer, startBouncer } from "../../scripts/pgbouncer.ts";
import { type Cluster, type ReplicaServer, startCluster, startReplica } from "../../scripts/postgres.ts";
import { type Answer, http, send } from "../harness.ts";
import { type Node, prepareDatabase, type Site, startSite } from "./site.ts";

const reads = Number(process.env.CAIRN_HA_READS ?? 10_000);
const writers = 8;
const objectsEach = 4;
let cluster: Cluster;
let copy: ReplicaServer;
let bouncer: Bouncer;
let site: Site;
const agent = new http.Agent({ keepAlive: true, maxSockets: 64 });

before(async () => {
  cluster = await startCluster();
  await prepareDatabase(cluster.url);
  copy = await startReplica(cluster.url);
  bouncer = await startBouncer(cluster.url, { size: 20 });
  site = await startSite({
    nodes: 2,
    env: {
      CAIRN_DATABASE_URL: bouncer.url(cluster.url),
      CAIRN_DATABASE_DIRECT_URL: cluster.url,
      CAIRN_DATABASE_READ_URL: copy.url,
      CAIRN_DATABASE_PREPARE: "false",
    },
  });
});
after(async () => {
  agent.destroy();
  await site?.stop();
  await bouncer?.stop();
  await copy?.stop();
  await cluster?.stop();
});

const ask = (node: Node, key: string, method: string, path: string, body?: object): Promise<Answer> =>
  send(agent, node.url, method, `/api/${path}`, { headers: { "x-api-key": key }, ...(body && { body }) });

/** Too many queries at once are refused: that is no stale answer. */
async function whenFree(request: () => Promise<Answer>): Promise<Answer> {
  for (;;) {
    const answer = await request();
    if (answer.status !== 503) return answer;
    await sleep(10);
  }
}

async function transactionsOfReplica(): Promise<number> {
  const client = new Client({ connectionString: copy.url });
  await client.connect();
  const { rows } = await client.query("SELECT sum(xact_commit)::int AS total FROM pg_stat_database");
  await client.end();
  return rows[0]?.total;
}

test("NOD-16 behind a pool and with a replica no answer of a second node is older than an acknowledged write", async () => {
  const [first, second] = site.nodes as [Node, Node];
  const must = async (path: string, body: object): Promise<Answer> => {
    const answer = await ask(first, site.key, "POST", path, body);
    assert.equal(answer.status, 201, answer.text);
    return answer;
  };
  await must("schemas", {
    id: "thing",
    properties: { id: { type: "string" }, n: { type: "number" }, tag: { type: "string" } },
    required: ["id"],
    index: ["tag"],
  });
  const stale: string[] = [];
  const done = { kept: 0, queries: 0, exports: 0 };
  const before = await transactionsOfReplica();
  const began = performance.now();
  const each = Math.ceil(reads / 3 / writers);
  await Promise.all(
    Array.from({ length: writers }, async (_, writer) => {
      const collection = `things${writer}`;
      const path = `collections/${collection}`;
      await must("collections", { id: collection, schema: "thing" });
      const everything = { methods: ["GET", "POST", "PUT", "PATCH", "DELETE"], endpoints: ["*"] };
      // Callers take turns, so each writer is one.
      const { key } = (await must("apikeys", { name: collection, ...everything })).body.data;
      for (let n = 0; n < objectsEach; n++) await must(path, { id: `o${n}`, n: -1, tag: "none" });
      for (let n = 0; n < each; n++) {
        const [writing, reading] = n % 2 === 0 ? [first, second] : [second, first];
        const id = `o${n % objectsEach}`;
        const tag = `t${n}`;
        const written = await whenFree(() => ask(writing, key, "PATCH", `${path}/${id}`, { n, tag }));
        assert.equal(written.status, 200, written.text);
        const read = (what: string) => whenFree(() => ask(reading, key, "GET", what));
        const [got, listed, exported] = await Promise.all([
          read(`${path}/${id}`),
          read(`${path}?filter[tag]=${tag}`),
          read(`export/collections/${collection}/json`),
        ]);
        for (const { status, text } of [got, listed, exported]) assert.equal(status, 200, text);
        done.kept += 1;
        done.queries += 1;
        done.exports += 1;
        const objects = JSON.parse(exported.text) as { id: string; n: number }[];
        const found = {
          object: got.body.data.n,
          list: listed.body.data[0]?.n,
          export: objects.find((object) => object.id === id)?.n,
        };
        for (const [kind, value] of Object.entries(found))
          if (value !== n) stale.push(`${kind} ${collection}/${id}: ${value} instead of ${n}`);
        if (done.kept % 2_000 === 0) console.log(`${done.kept * 3} reads, ${stale.length} stale`);
      }
    }),
  );
  const total = done.kept + done.queries + done.exports;
  const byReplica = (await transactionsOfReplica()) - before;
  console.log(
    `${total} reads of a second node after acknowledged writes (${done.kept} objects, ${done.queries} lists, ${done.exports} exports) in ` +
      `${Math.round((performance.now() - began) / 1000)} s, ${byReplica} transactions on the replica: ${stale.length} stale`,
  );
  assert.deepEqual(stale, []);
  // Two for each: whether it is up to date, and the answer. It may be behind on a busy machine.
  assert.ok(byReplica > done.exports / 2, "the replica has answered too little to prove anything");
});
