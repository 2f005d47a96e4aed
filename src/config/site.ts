// Whether a data directory holds a site, and which database that site uses. A server records its database in the data
// directory, so that a command or a server with the wrong settings fails instead of starting an empty site.

import { accessSync, constants, existsSync, readFileSync } from "node:fs";
import { resolve } from "node:path";
import { writeFileAtomic } from "#base/files.ts";
import { isJsonObject, type Json, type JsonObject } from "#contract/json.ts";
import { type Settings, SettingsError } from "./config.ts";

type Place = Pick<Settings, "dataDir" | "get">;

const noteFile = (dataDir: string) => resolve(dataDir, ".system", "database.json");
/** After a failure only its log may be left. */
const hasEmbedded = (dataDir: string) =>
  ["cairn.db", "cairn.db-wal"].some((name) => existsSync(resolve(dataDir, ".system", name)));

export function hasSite(settings: Place): boolean {
  const note = findNote(settings.dataDir);
  return note?.engine === "postgres" || hasEmbedded(settings.dataDir);
}

/** For commands that work on a site and never create one. */
export function requireSite(settings: Place): void {
  const system = resolve(settings.dataDir, ".system");
  // A folder of another user is not a missing one: this error names it.
  if (existsSync(system)) accessSync(system, constants.X_OK);
  requireNotedEngine(settings);
  // A database server says itself whether it holds a site; the data directory of a node may be empty.
  if (hasSite(settings) || settings.get("databaseUrl")) return;
  throw new SettingsError(
    `There is no site in ${settings.dataDir}. Name the data directory with --data or CAIRN_DATA; cairn serve makes a new site.`,
  );
}

/** Where the site uses the other engine, an empty database would look as if all data were lost. */
export function requireNotedEngine(settings: Place): void {
  const noted = findNote(settings.dataDir);
  if (noted?.engine === "postgres" && !settings.get("databaseUrl")) {
    throw new SettingsError(
      `This site keeps its data in PostgreSQL at ${placeOf(noted)}; set CAIRN_DATABASE_URL. (Data directory: ${settings.dataDir}.)`,
    );
  }
  if (noted?.engine === "sqlite" && settings.get("databaseUrl") && hasEmbedded(settings.dataDir)) {
    throw new SettingsError(
      `This site keeps its data in SQLite; unset CAIRN_DATABASE_URL, or move the site with backup:restore-all. (Data directory: ${settings.dataDir}.)`,
    );
  }
}

/** The recorded database, when the settings name a different one of the same kind. */
export function findOtherDatabase(settings: Place): string | undefined {
  const noted = findNote(settings.dataDir);
  const present = noteOf(settings);
  if (noted?.engine !== "postgres" || present.engine !== "postgres") return undefined;
  return placeOf(noted) === placeOf(present) ? undefined : placeOf(noted);
}

export async function noteDatabase(settings: Place): Promise<void> {
  const text = `${JSON.stringify(noteOf(settings), null, 2)}\n`;
  const file = noteFile(settings.dataDir);
  if (existsSync(file) && readFileSync(file, "utf8") === text) return;
  await writeFileAtomic(file, text, 0o600);
}

/** Without user and password. */
function noteOf(settings: Place): JsonObject {
  const address = settings.get("databaseUrl");
  if (!address) return { engine: "sqlite" };
  if (!URL.canParse(address)) return { engine: "postgres", host: "", port: 0, database: "" };
  const { hostname, port, pathname, username, searchParams } = new URL(address);
  return {
    engine: "postgres",
    host: hostname || searchParams.get("host") || "localhost",
    port: Number(port || searchParams.get("port") || 5432),
    database: decodeURIComponent(pathname.slice(1) || username),
  };
}

function placeOf({ host, port, database }: JsonObject): string {
  return `${host}:${port}/${database}`;
}

function findNote(dataDir: string): JsonObject | undefined {
  const file = noteFile(dataDir);
  if (!existsSync(file)) return undefined;
  let note: Json | undefined;
  try {
    note = JSON.parse(readFileSync(file, "utf8")) as Json;
  } catch {
    note = undefined;
  }
  if (!isJsonObject(note))
    throw new SettingsError(`${file} is not valid JSON. Remove it; the next server writes it again.`);
  return note;
}
