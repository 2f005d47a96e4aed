// database:prepare.

import type { Call } from "#cli/call.ts";
import { prepareDatabase } from "#installation/prepare-database.ts";

export async function prepare(call: Call): Promise<void> {
  const { role, database, settings } = await prepareDatabase(call.settings);
  if (call.isJson) return call.out.json({ role, database, settings: { ...settings } });
  for (const [name, value] of Object.entries(settings)) await call.out.line(`${name} = ${value}`);
  await call.out.line(`The role ${role} has these settings in the database ${database}, for every new connection.`);
}
