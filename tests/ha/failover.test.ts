// Two nodes on a database that loses its primary again and again, under writes: no acknowledged write is lost, and clients see
// nothing but success and 503. Not part of `npm test`: `npm run test:ha`, with CAIRN_HA_ROUNDS rounds of each kind.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { type HighlyAvailable, startHighlyAvailable } from "../../scripts/ha/database.ts";
import { beginLoad, type HaLoad, type Loss } from "./load.ts";
import { type Node, prepareDatabase, type Site, startSite } from "./site.ts";

const rounds = Number(process.env.CAIRN_HA_ROUNDS ?? 2);
/** Longer than the time limit of a statement: a request that takes more hangs. */
const longestMs = 35_000;
let database: HighlyAvailable;
let site: Site;
let load: HaLoad;

before(async () => {
  database = await startHighlyAvailable();
  await prepareDatabase(database.direct);
  await database.reconnectPool();
  site = await startSite({
    nodes: 2,
    env: {
      CAIRN_DATABASE_URL: database.pooled,
      CAIRN_DATABASE_DIRECT_URL: database.direct,
      CAIRN_DATABASE_READ_URL: database.replica,
      CAIRN_DATABASE_PREPARE: "false",
    },
  });
});
after(async () => {
  await load?.stop();
  await site?.stop();
  await database?.stop();
});

async function replaceNode(round: number): Promise<void> {
  const node = site.nodes[round % site.nodes.length] as Node;
  await node.stop();
  node.empty();
  await node.start();
}

test("NOD-14 over failovers, switchovers, frozen primaries and stopped nodes no acknowledged write is lost, and nothing but success and 503 is answered", async () => {
  load = await beginLoad(site, { writers: 8 });
  const losses: Loss[] = [];
  const events = {
    "primary killed": database.killPrimary,
    switchover: database.switchOver,
    "primary stands still": database.freezePrimary,
    "node stopped": replaceNode,
  };
  const lost: string[] = [];
  let stored = 0;
  const look = async () => {
    const found = await load.check();
    lost.push(...found.lost);
    stored += found.stored;
    assert.deepEqual(lost, []);
  };
  for (let round = 0; round < rounds; round++) {
    for (const [what, act] of Object.entries(events)) {
      const loss = await load.watch(() => act(round));
      losses.push(loss);
      const seconds = (ms: number) => `${(ms / 1000).toFixed(1)} s`;
      console.log(
        `${round + 1}/${rounds} ${what}: ${seconds(loss.gap)} without a write, slowest answer ${seconds(loss.slowest)}; so far ` +
          `${load.counts.acknowledged} acknowledged, ${load.counts.refused} refused, ${load.surprises.length} others, ${load.stale.length} stale, ${lost.length} lost`,
      );
    }
    await look();
  }
  await load.stop();
  await look();
  const { acknowledged, refused, reads } = load.counts;
  console.log(
    `${rounds} rounds: ${acknowledged} acknowledged, ${lost.length} lost; ${refused} refused, ${stored} creates of them stored; ` +
      `${reads} reads, ${load.stale.length} stale; ${load.surprises.length} others`,
  );
  const printed = site.nodes.map((node) => node.printed().slice(-4_000)).join("\n");
  assert.deepEqual(load.surprises, [], printed);
  assert.deepEqual(load.stale, []);
  assert.ok(Math.max(...losses.map(({ slowest }) => slowest)) < longestMs);
});
