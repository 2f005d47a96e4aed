// serve and version: they load no other room.

import { version } from "#base/version.ts";
import type { Call } from "#cli/call.ts";

export function serve(call: Call): Promise<number> {
  return call.host.serve(call.settings);
}

export async function showVersion(call: Call): Promise<void> {
  if (call.isJson) await call.out.json({ version });
  else await call.out.line(version);
}
