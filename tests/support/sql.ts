// Statements on the database of a server, from beside it. It never asserts.

import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { Client } from "pg";
import { engine, type Server } from "../harness.ts";

/** One statement on the database of the server; the number of rows that it found. */
export async function runSql(server: Server, sql: string): Promise<number> {
  if (engine === "sqlite") {
    const db = new DatabaseSync(join(server.dataDir, ".system", "cairn.db"), { timeout: 5_000 });
    try {
      return db.prepare(sql).all().length;
    } finally {
      db.close();
    }
  }
  const client = new Client({ connectionString: server.env.CAIRN_DATABASE_URL });
  await client.connect();
  try {
    return (await client.query(sql)).rows.length;
  } finally {
    await client.end();
  }
}
