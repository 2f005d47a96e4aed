// A database of its own on the database server of the tests, for storage that is tested by itself.
// CAIRN_TEST_POSTGRES_URL names a cluster in which databases may be made; scripts/test.ts starts one.

import { randomBytes } from "node:crypto";
import { Client } from "pg";
import { createLog } from "#base/log.ts";
import type { Prepare } from "#storage/contract-samples.ts";
import { openStorage } from "#storage/open.ts";

const url = process.env.CAIRN_TEST_POSTGRES_URL;
if (!url) throw new Error("CAIRN_TEST_POSTGRES_URL is not set: run the tests by scripts/test.ts");
export const cluster = url;
export const log = createLog("silent");

export async function administer(sql: string): Promise<void> {
  const client = new Client({ connectionString: cluster });
  await client.connect();
  await client.query(sql);
  await client.end();
}

export const prepare: Prepare = async () => {
  const name = `storage_${randomBytes(6).toString("hex")}`;
  await administer(`CREATE DATABASE ${name}`);
  const databaseUrl = Object.assign(new URL(cluster), { pathname: `/${name}` }).href;
  const options = { dataDir: "", databaseUrl, role: "command" as const };
  return {
    open: () => openStorage({ ...options, log }),
    options,
    remove: () => administer(`DROP DATABASE ${name} WITH (FORCE)`),
  };
};
