// The migrations: plain SQL files, each applied once, in order of name. Engines run them under their own lock.

import { readdirSync, readFileSync } from "node:fs";

const folder = new URL("./migrations/", import.meta.url);

export interface Migration {
  name: string;
  sql: string;
}

export const migrationsTable = "CREATE TABLE IF NOT EXISTS migrations (name TEXT PRIMARY KEY, applied TEXT NOT NULL)";

export function pendingMigrations(engine: string, applied: ReadonlySet<string>): Migration[] {
  const suffix = `.${engine}.sql`;
  return readdirSync(folder)
    .filter((file) => file.endsWith(suffix))
    .sort()
    .map((file) => ({ name: file.slice(0, -suffix.length), file }))
    .filter(({ name }) => !applied.has(name))
    .map(({ name, file }) => ({ name, sql: readFileSync(new URL(file, folder), "utf8") }));
}

/** Of any engine: some need what others have by nature. */
export function knownMigrations(): Set<string> {
  return new Set(readdirSync(folder).map((file) => file.replace(/\.\w+\.sql$/, "")));
}
