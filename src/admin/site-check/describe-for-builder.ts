// What `cairn dev` says when it is ready, on one screen: addresses, folders, and what is missing.

import { resolve } from "node:path";
import { system } from "#access/actor.ts";
import { onAdminHost } from "#content/site-address.ts";
import { type App, contextFor } from "#context.ts";
import { isSiteServed } from "#site/pages/site-served.ts";
import { templatePlace } from "#site/template-files.ts";
import { checkSite } from "./check-site.ts";

const maxFindings = 10;

export async function describeForBuilder(app: App, address: string): Promise<string[]> {
  const { settings } = app;
  const lines = [
    "",
    `  Site       ${address}/`,
    `  Admin      ${onAdminHost(address, settings.get("site.adminHost"))}/admin`,
    `  Templates  ${templatePlace(settings).folder}`,
    `  Files      ${resolve(settings.projectDir, settings.get("publicDir"))}`,
    "",
  ];
  if (!settings.get("site.enabled")) return [...lines, "  The setting site.enabled is false: no page is served."];
  if (!(await isSiteServed(app))) return [...lines, "  There is no page yet. Install a starter: cairn site:init"];
  const findings = await checkSite(contextFor(app, system));
  const urgent = findings.filter(({ level }) => level !== "hint");
  for (const { level, template, page, line, message } of urgent.slice(0, maxFindings)) {
    const place = `${template || page}${line > 0 ? `:${line}` : ""}`;
    lines.push(`  ${level}: ${message}${place === "" ? "" : ` (${place})`}`);
  }
  const more = findings.length - Math.min(urgent.length, maxFindings);
  if (more > 0) lines.push(`  ${more} more: cairn site:check`);
  return lines;
}
