// mcp:status and mcp:doctor: the set-up of the endpoint here, and whether clients can reach an endpoint anywhere.

import { isPro } from "#access/edition.ts";
import { countOpenMcpSessions } from "#access/mcp-sessions.ts";
import type { Call } from "#cli/call.ts";
import { UsageError } from "#cli/usage.ts";
import { examine, type Finding } from "./mcp-doctor.ts";

export async function status(call: Call): Promise<void> {
  const report = await call.work(async (ctx) => {
    const { settings } = ctx;
    const base = settings.get("url").replace(/\/+$/, "") || `http://${settings.get("host")}:${settings.get("port")}`;
    return {
      enabled: settings.get("mcp.enabled"),
      endpoint: `${base}/mcp`,
      publicAccess: settings.get("mcp.publicAccess"),
      apiKeys: isPro(ctx),
      oauth: isPro(ctx) && settings.get("oauth.enabled"),
      publicIpPerMinute: settings.get("mcp.publicIpPerMinute"),
      allowedOrigins: settings.get("mcp.allowedOrigins"),
      toolPrefix: settings.get("mcp.toolPrefix"),
      subscriptionsEnabled: settings.get("mcp.subscriptionsEnabled"),
      sessions: await countOpenMcpSessions(ctx),
    };
  });
  if (call.isJson) return call.out.json(report);
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
  const findings = await examine(url, key);
  const isWell = findings.every(({ result }) => result !== "fail");
  if (call.isJson) await call.out.json({ url: address, isWell, checks: findings as never });
  else await print(call, findings, isWell);
  return isWell ? 0 : 1;
}

async function print({ out }: Call, findings: Finding[], isWell: boolean): Promise<void> {
  await out.table(
    ["RESULT", "CHECK", ""],
    findings.map(({ result, check, message }) => [result, check, message]),
  );
  const advice = findings.filter(({ fix }) => fix !== undefined);
  if (advice.length > 0) await out.line();
  for (const { check, fix } of advice) await out.table([`${check}:`, fix ?? ""], []);
  await out.line();
  await out.line(isWell ? "Clients can connect." : "Clients cannot connect until the failures are fixed.");
}
