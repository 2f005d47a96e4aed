// server:config and server:check: the web server in front, how it is configured, and whether it does what it should.

import { userInfo } from "node:os";
import { CairnError } from "#base/errors.ts";
import type { Call } from "#cli/call.ts";
import { UsageError } from "#cli/usage.ts";
import { type WebServer, webServers } from "#contract/admin.ts";
import { checkSite } from "#installation/server-check/server-check.ts";
import { choose, type ServerChoice, serverConfigText, siteFactsOf } from "#installation/server-config/server-config.ts";
import { printFindings } from "./findings.ts";

interface ConfigOptions extends Omit<ServerChoice, "isHtaccess"> {
  htaccess?: boolean;
}

export async function printConfig(call: Call, options: ConfigOptions, name: string): Promise<void> {
  const server = webServers.find((known) => known === name);
  if (!server) throw new UsageError(`The server must be one of: ${webServers.join(", ")}.`);
  await call.out.write(textFor(call, server, options));
}

function textFor({ settings }: Call, server: WebServer, { htaccess, ...choice }: ConfigOptions): string {
  try {
    const site = siteFactsOf(settings, userInfo().username);
    return serverConfigText(server, choose(server, site, { ...choice, isHtaccess: htaccess }));
  } catch (error) {
    throw error instanceof CairnError ? new UsageError(`--${error.message}`) : error;
  }
}

/** The exit code is 1 when something is wrong. */
export async function check(call: Call, _options: object, address: string): Promise<number> {
  const url = URL.parse(address);
  if (!url || !/^https?:$/.test(url.protocol) || url.username !== "")
    throw new UsageError("The address must be a URL such as https://example.org.");
  const checks = await checkSite(url);
  const problems = checks.filter(({ result }) => result === "fail").length;
  const warnings = checks.filter(({ result }) => result === "warn").length;
  if (call.isJson) await call.out.json({ url: url.origin, isWell: problems === 0, checks: checks as never });
  else await printFindings(call, checks, `${problems} problems, ${warnings} warnings.`);
  return problems === 0 ? 0 : 1;
}
