// dev: the server for people who build a site.

import { checkStarterName } from "#admin/starters/starter-folder.ts";
import type { Call } from "#cli/call.ts";
import { initSite } from "#cli/moving/jumpstart.ts";

export async function dev(call: Call, { open, starter }: { open?: boolean; starter?: string }): Promise<number> {
  if (starter !== undefined) await initSite(call, {}, checkStarterName(starter));
  return call.host.serve(call.settings, { isDev: true, opens: open === true });
}
