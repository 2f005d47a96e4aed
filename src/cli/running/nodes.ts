// nodes:list.

import type { Call } from "#cli/call.ts";
import type { Json } from "#contract/json.ts";
import { listServerNodes } from "#installation/nodes.ts";

export async function list(call: Call): Promise<void> {
  const nodes = await call.work((ctx) => listServerNodes(ctx));
  if (call.isJson) return call.out.json((nodes ?? null) as unknown as Json);
  if (!nodes) return call.out.line("One server has this database alone.");
  await call.out.table(
    ["HOST", "PID", "VERSION", "STARTED", "SEEN", "STATE"],
    nodes.map(({ host, pid, version, started, seen, isThere }) => [
      ...[host, String(pid), version, started, seen],
      isThere ? "there" : "silent",
    ]),
  );
}
