// A rolling update from a commit of the repository to the present code: two nodes on one PostgreSQL, behind a balancer, under load. No
// request fails. Not part of `npm test`: `npm run test:ha -- update COMMIT`.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { Client } from "pg";
import { type Cluster, startCluster } from "../../scripts/postgres.ts";
import { root } from "../harness.ts";
import { beginLoad, type HaLoad } from "./load.ts";
import { type Site, startSite } from "./site.ts";

const from = process.env.CAIRN_HA_FROM ?? "HEAD";
/** How long each mixture of versions is under load. */
const restMs = 10_000;
/** What a version removes waits for a minute without older ones: time enough for it to happen. */
const quietMs = 75_000;
let installation: string;
let dataDir: string;
let cluster: Cluster;
let site: Site;
let load: HaLoad;

before(async () => {
  installation = mkdtempSync(join(tmpdir(), "cairn-older-"));
  const git = (...args: string[]) =>
    execFileSync("git", args, { cwd: installation, stdio: ["ignore", "pipe", "inherit"] });
  git("clone", "--quiet", "--shared", "--no-checkout", root, ".");
  git("checkout", "--quiet", "--detach", from);
  const dependencies = (folder: string) => JSON.parse(readFileSync(join(folder, "package.json"), "utf8")).dependencies;
  try {
    assert.deepEqual(dependencies(installation), dependencies(root));
    symlinkSync(join(root, "node_modules"), join(installation, "node_modules"));
  } catch {
    execFileSync("npm", ["ci", "--no-audit", "--no-fund"], { cwd: installation, stdio: "inherit" });
  }
  dataDir = mkdtempSync(join(tmpdir(), "cairn-ha-data-"));
  cluster = await startCluster();
  // Before definitions were in the database, the nodes shared a data directory.
  site = await startSite({ nodes: 2, dataDir, installation, env: { CAIRN_DATABASE_URL: cluster.url } });
});
after(async () => {
  await load?.stop();
  await site?.stop();
  await cluster?.stop();
  for (const folder of [installation, dataDir]) rmSync(folder, { recursive: true, force: true });
});

/** Names of migrations, of the database and of a folder of Cairn. */
async function applied(): Promise<string[]> {
  const client = new Client({ connectionString: cluster.url });
  await client.connect();
  const { rows } = await client.query<{ name: string }>("SELECT name FROM migrations");
  await client.end();
  return rows.map(({ name }) => name).sort();
}

const known = (folder: string) =>
  readdirSync(join(folder, "src/storage/migrations"))
    .filter((name) => name.endsWith(".postgres.sql"))
    .map((name) => name.slice(0, -".postgres.sql".length))
    .sort();

test("NOD-15 a rolling update from an older commit fails no request and loses no write", async () => {
  load = await beginLoad(site, { writers: 8, isBalanced: true });
  const say = (what: string) =>
    console.log(
      `${what}: ${load.counts.acknowledged} acknowledged, ${load.counts.reads} reads, ${load.counts.refused} refused, ` +
        `${load.surprises.length} others, ${load.stale.length} older than a write`,
    );
  await sleep(restMs);
  say(`two nodes of ${from}`);
  assert.deepEqual(await applied(), known(installation), "the nodes are not of that commit");
  let mixed = 0;
  for (const [at, node] of site.nodes.entries()) {
    await site.balancer.setState(at + 1, "drain");
    await node.stop();
    mixed = load.stale.length;
    await node.start(root);
    await site.balancer.setState(at + 1, "ready");
    await sleep(restMs);
    say(at === 0 ? "one node is new" : "both are new");
  }
  await sleep(quietMs);
  say("a minute later");
  assert.deepEqual(await applied(), known(root));
  await load.stop();
  const { lost } = await load.check();
  const printed = site.nodes.map((node) => node.printed().slice(-4_000)).join("\n");
  assert.deepEqual(load.surprises, [], printed);
  assert.equal(load.counts.refused, 0, printed);
  assert.deepEqual(lost, []);
  assert.deepEqual(load.stale.slice(mixed), [], "as soon as all nodes are new, no answer is older than a write");
});
