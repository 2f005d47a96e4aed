// `npm run test:ha`: several nodes and a database with replicas, under load. Not part of `npm test`, because it takes long.
//   test:ha [failover|stale ...]   losses of primaries and nodes, and reads through another node right after writes; both unless named
//   test:ha update COMMIT          a rolling update from a commit to the present code
// CAIRN_HA_ROUNDS: how often each kind of loss comes (2). CAIRN_HA_KINDS: which kinds, such as "switchover,node killed". CAIRN_HA_READS: how many reads follow writes (10000).

import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";

const root = join(import.meta.dirname, "..");
const known = ["failover", "stale"];
const words = process.argv.slice(2);
const [first, from] = words;
const isUpdate = first === "update";
if (isUpdate ? !from : words.some((name) => !known.includes(name))) {
  console.error("Usage: npm run test:ha -- [failover] [stale], or npm run test:ha -- update COMMIT");
  process.exit(2);
}
const names = isUpdate ? ["update"] : words.length > 0 ? words : known;
const env = { ...process.env, ...(isUpdate && { CAIRN_HA_FROM: from }) };
for (const name of names) {
  // Not by --test, which holds back what a test prints until it is over.
  const child = spawn(process.execPath, [`tests/ha/${name}.test.ts`], { cwd: root, env, stdio: "inherit" });
  const [code] = await once(child, "exit");
  if (code !== 0) process.exitCode = 1;
}
