// `database:prepare`: what Cairn asks of its connections becomes a property of the database role. Run before a server starts, so
// it opens no site.

import { CairnError } from "#base/errors.ts";
import type { Settings } from "#config/config.ts";
import { type PreparedRole, prepareRole } from "#storage/engines/pools/session-settings.ts";

export async function prepareDatabase(settings: Pick<Settings, "get">): Promise<PreparedRole> {
  const address = settings.get("databaseDirectUrl") || settings.get("databaseUrl");
  if (!address)
    throw new CairnError("invalid", "This site uses SQLite: set CAIRN_DATABASE_URL, or leave the database as it is.");
  try {
    return await prepareRole(address);
  } catch (error) {
    const reason = error instanceof Error ? error.message : "unknown reason";
    throw new CairnError("unavailable", `The database cannot be prepared: ${reason}`);
  }
}
