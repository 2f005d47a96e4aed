// Two nodes on a database that loses its primary again and again, under writes: no acknowledged write is lost, and clients see
// nothing but success and 503. Not part of `npm test`: `npm run test:ha`, with CAIRN_HA_ROUNDS rounds of each kind.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { type HighlyAvailable, startHighlyAvailable } from "../../scripts/ha/database.ts";
import { beginLoad, type HaLoad, type Loss } from "./load.ts";
import { type Node, prepareDatabase, type Site, startSite } from "./site.ts";

const rounds = Number(process.env.CAIRN_HA_ROUNDS ?? 2);
/** Empty: all. */
const kinds = (process.env.CAIRN_HA_KINDS ?? "").split(",").filter(Boolean);
const nodeKilled = "node killed";
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

const replaceNode = (end: "stop" | "kill") => async (round: number) => {
  const node = site.nodes[round % site.nodes.length] as Node;
  await node[end]();
  node.empty();
  await node.start();
};

function say(what: string, { gap, slowest }: Loss): string {
  const seconds = (ms: number) => `${(ms / 1000).toFixed(1)} s`;
  return `${what}: ${seconds(gap)} without a write, slowest answer ${seconds(slowest)}`;
}

test("NOD-14 over failovers, switchovers, frozen primaries, full disks of replicas, stopped and killed nodes no acknowledged write is lost, and nothing but success and 503 is answered", async () => {
  load = await beginLoad(site, { writers: 8 });
  const losses = new Map<string, Loss>();
  const events = {
    "primary killed": database.killPrimary,
    switchover: database.switchOver,
    "primary stands still": database.freezePrimary,
    "disk of a replica full": database.fillReplica,
    "node stopped": replaceNode("stop"),
    [nodeKilled]: replaceNode("kill"),
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
      if (kinds.length > 0 && !kinds.includes(what)) continue;
      const loss = await load.watch(() => act(round), what === nodeKilled);
      const { gap = 0, slowest = 0 } = losses.get(what) ?? {};
      losses.set(what, { gap: Math.max(gap, loss.gap), slowest: Math.max(slowest, loss.slowest) });
      const { acknowledged, refused, cut } = load.counts;
      console.log(
        `${round + 1}/${rounds} ${say(what, loss)}; so far ${acknowledged} acknowledged, ${refused} refused, ${cut} cut off, ` +
          `${load.surprises.length} others, ${load.stale.length} stale, ${lost.length} lost`,
      );
    }
    await look();
  }
  await load.stop();
  await look();
  const { acknowledged, refused, reads, cut } = load.counts;
  for (const [what, loss] of losses) console.log(`at most: ${say(what, loss)}`);
  console.log(
    `${rounds} rounds: ${acknowledged} acknowledged, ${lost.length} lost; ${refused} refused, ${stored} creates of them stored; ` +
      `${reads} reads, ${load.stale.length} stale; ${cut} cut off with a killed node; ${load.surprises.length} others`,
  );
  const printed = site.nodes.map((node) => node.printed().slice(-4_000)).join("\n");
  assert.deepEqual(load.surprises, [], printed);
  assert.deepEqual(load.stale, []);
  assert.ok(Math.max(...[...losses.values()].map(({ slowest }) => slowest)) < longestMs);
});
