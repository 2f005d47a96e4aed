// template:list, get, set, delete, history, restore.

import { readFile } from "node:fs/promises";
import type { Call } from "#cli/call.ts";
import { readAll, requireConsent } from "#cli/prompts.ts";
import { one, writeOut } from "#cli/sink.ts";
import type { Json } from "#contract/json.ts";
import * as templates from "#site/templates.ts";

export async function listTemplates(call: Call, _options: unknown, folder?: string): Promise<void> {
  const all = await call.work((ctx) => templates.listTemplates(ctx, folder));
  if (call.isJson) return call.out.json(all as unknown as Json);
  await call.out.table(
    ["TEMPLATE", "BYTES", "UPDATED"],
    all.map(({ id, size, updated }) => [id, String(size), updated]),
  );
}

export async function getTemplate(call: Call, options: { output?: string }, id: string): Promise<void> {
  const { template } = await call.work((ctx) => templates.getTemplate(ctx, id));
  if (call.isJson) return call.out.json(template as unknown as Json);
  await writeOut(call, options.output, one(template.template));
}

export async function setTemplate(call: Call, _options: unknown, ...[id, file]: [string, string]): Promise<void> {
  const bytes = file === "-" ? await readAll(call.host.stdin) : await readFile(file);
  const body = { template: bytes.toString("utf8") };
  const { template, isNew } = await call.work((ctx) => templates.replaceTemplate(ctx, id, body));
  if (call.isJson) return call.out.json({ id: template.id, created: isNew, updated: template.updated });
  await call.out.line(`Template ${id} is ${isNew ? "created" : "saved"}.`);
}

export async function deleteTemplate(call: Call, options: { force?: boolean }, id: string): Promise<number> {
  if (!(await requireConsent(call.host, options.force === true, `Delete the template ${id}?`))) return 1;
  await call.work((ctx) => templates.deleteTemplate(ctx, id));
  if (call.isJson) await call.out.json({ deleted: id });
  else await call.out.line(`Template ${id} is deleted; template:history ${id} still has its text.`);
  return 0;
}

export async function showHistory(call: Call, options: { show?: string }, id: string): Promise<void> {
  const { show } = options;
  if (show !== undefined) {
    const found = await call.work((ctx) => templates.getTemplateVersion(ctx, id, show));
    return call.isJson ? call.out.json(found as unknown as Json) : call.out.write(found.template);
  }
  const versions = await call.work((ctx) => templates.listTemplateVersions(ctx, id));
  if (call.isJson) return call.out.json(versions as unknown as Json);
  if (versions.length === 0) return call.out.line("No earlier versions.");
  await call.out.table(
    ["VERSION", "REPLACED"],
    versions.map(({ version, replaced }) => [version, replaced]),
  );
}

export async function restoreTemplate(
  call: Call,
  _options: unknown,
  ...[id, version]: [string, string]
): Promise<void> {
  const { template } = await call.work((ctx) => templates.restoreTemplate(ctx, id, version));
  if (call.isJson) return call.out.json({ id: template.id, restored: version });
  await call.out.line(`Template ${id} has the text of ${version} again.`);
}
