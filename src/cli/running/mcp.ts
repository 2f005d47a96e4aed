// mcp:status and mcp:doctor: the set-up of the endpoint here, and whether clients can reach an endpoint anywhere.

import type { Call } from "#cli/call.ts";
import { UsageError } from "#cli/usage.ts";
import { askPlainly, examine, isWell } from "#mcp/doctor.ts";
import { getMcpSetUp } from "#mcp/status.ts";
import { printFindings } from "./findings.ts";

export async function status(call: Call): Promise<void> {
  const report = await call.work(getMcpSetUp);
  if (call.isJson) return call.out.json({ ...report });
  const rows = Object.entries(report).map(([name, value]) => [
    name,
    Array.isArray(value) ? value.join(", ") : `${value}`,
  ]);
  await call.out.table(["MCP", report.enabled ? "on" : "off"], rows);
}

/** The exit code is 1 when something fails. */
export async function doctor(call: Call, { key }: { key?: string }, address: string): Promise<number> {
  const url = URL.canParse(address) ? new URL(address) : undefined;
  if (!url || !/^https?:$/.test(url.protocol))
    throw new UsageError("The address must be a URL such as https://example.org/mcp.");
  const checks = await examine(url, { ask: askPlainly, key });
  if (call.isJson) await call.out.json({ url: address, isWell: isWell(checks), checks: checks as never });
  else
    await printFindings(
      call,
      checks,
      isWell(checks) ? "Clients can connect." : "Clients cannot connect until the failures are fixed.",
    );
  return isWell(checks) ? 0 : 1;
}
