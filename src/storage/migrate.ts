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

/** Of this code. */
export function newestMigration(): string {
  return [...knownMigrations()].sort().at(-1) ?? "";
}

/** Such a migration takes away what older code needs; its name ends with `.contract`. All others only add. */
export function removes(name: string): boolean {
  return name.endsWith(".contract");
}

/** Code can work on a database to which newer code has added something, and not on one from which it has removed something. */
export function refuseNewer(applied: Iterable<string>): void {
  const known = knownMigrations();
  const lost = [...applied].find((name) => removes(name) && !known.has(name));
  if (lost !== undefined)
    throw new Error(
      `A newer version of Cairn has removed from the database what this one needs (${lost}): update Cairn.`,
    );
}
