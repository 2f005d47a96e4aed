// dev: the server for people who build a site.

import { checkStarterName } from "#admin/starters/starter-folder.ts";
import type { Call } from "#cli/call.ts";
import { initSite } from "#cli/moving/jumpstart.ts";
import { UsageError } from "#cli/usage.ts";

/** Where debuggers look first. */
const debugPort = 9229;

interface DevOptions {
  open?: boolean;
  starter?: string;
  /** True: no port was named. */
  inspectExtensions?: string | true;
}

export async function dev(call: Call, { open, starter, inspectExtensions }: DevOptions): Promise<number> {
  const inspectPort = inspectExtensions === undefined ? undefined : portOf(inspectExtensions);
  if (starter !== undefined) await initSite(call, {}, checkStarterName(starter));
  return call.host.serve(call.settings, { isDev: true, opens: open === true, inspectPort });
}

function portOf(given: string | true): number {
  const port = given === true ? debugPort : Number(given);
  if (!Number.isInteger(port) || port < 0 || port > 65_535)
    throw new UsageError("--inspect-extensions takes a port from 0 to 65535, or none for 9229.");
  return port;
}
