// `database:prepare`: what Cairn asks of its connections becomes a property of the database role. Run before a server starts, so
// it opens no site.

import { CairnError } from "#base/errors.ts";
import type { Settings } from "#config/config.ts";
import { type PreparedRole, prepareRole } from "#storage/open.ts";

export async function prepareDatabase(settings: Pick<Settings, "get">): Promise<PreparedRole> {
  const address = settings.get("databaseDirectUrl") || settings.get("databaseUrl");
  if (!address) throw new CairnError("invalid", "The site has no database server: set CAIRN_DATABASE_URL first.");
  try {
    return await prepareRole(address);
  } catch (error) {
    const reason = error instanceof Error ? error.message : "unknown reason";
    throw new CairnError("unavailable", `The database cannot be prepared: ${reason}`);
  }
}
