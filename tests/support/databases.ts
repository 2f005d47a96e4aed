// Databases in the cluster of the tests. It never asserts.

import { randomBytes } from "node:crypto";

/** A fresh database in the test cluster, empty or a copy. */
export async function createDatabase(template?: string): Promise<{ url: string; drop(): Promise<void> }> {
  const cluster = process.env.CAIRN_TEST_POSTGRES_URL;
  if (!cluster) throw new Error("CAIRN_TEST_ENGINE=postgres needs CAIRN_TEST_POSTGRES_URL.");
  const name = `cairn_${randomBytes(6).toString("hex")}`;
  // The other way to copy a template writes every page of it to the log. Servers before PostgreSQL 15 have no word for it.
  await runSql(cluster, `create database ${name}${template ? ` template ${template} strategy file_copy` : ""}`);
  return {
    url: databaseUrl(cluster, name),
    drop: () => runSql(cluster, `drop database if exists ${name} with (force)`),
  };
}

export function databaseUrl(cluster: string, name: string): string {
  const url = new URL(cluster);
  url.pathname = `/${name}`;
  return url.href;
}

export async function runSql(url: string, sql: string): Promise<void> {
  const { Client } = await import("pg");
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(sql);
  } finally {
    await client.end();
  }
}
