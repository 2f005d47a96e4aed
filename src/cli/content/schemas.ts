// schema:list, get, export, import, lint.

import type { Call } from "#cli/call.ts";
import { readJsonObject } from "#cli/input.ts";
import { escapeControls } from "#cli/output.ts";
import { requireConsent } from "#cli/prompts.ts";
import { one, writeOut } from "#cli/sink.ts";
import * as lint from "#content/collections/lint.ts";
import * as rename from "#content/collections/rename-property.ts";
import * as schemas from "#content/collections/schemas.ts";
import type { Json } from "#contract/json.ts";

export async function listSchemas(call: Call, options: { filter?: string }): Promise<void> {
  const all = await call.work((ctx) => schemas.listSchemas(ctx, options.filter));
  if (call.isJson) return call.out.json(all as unknown as Json);
  await call.out.table(
    ["SCHEMA", "TITLE", "DESCRIPTION"],
    all.map((schema) => [schema.name, schema.title, schema.description]),
  );
}

export async function getSchema(call: Call, options: { raw?: boolean }, id: string): Promise<void> {
  const schema = await call.work((ctx) => schemas.getSchema(ctx, id, { raw: options.raw === true }));
  await call.out.json(schema as unknown as Json);
}

export async function exportSchema(call: Call, options: { output?: string }, id: string): Promise<void> {
  const schema = await call.work((ctx) => schemas.exportSchema(ctx, id));
  await writeOut(call, options.output, one(`${escapeControls(JSON.stringify(schema, null, 2))}\n`));
}

export async function importSchema(call: Call, _options: unknown, file: string): Promise<void> {
  const body = await readJsonObject(call.host, { file });
  const schema = await call.work((ctx) => schemas.importSchema(ctx, body));
  if (call.isJson) await call.out.json(schema as unknown as Json);
  else await call.out.line(`Schema ${schema.id} is saved.`);
}

export async function renameProperty(
  call: Call,
  _options: unknown,
  ...[id = "", from = "", to = ""]: string[]
): Promise<void> {
  const schema = await call.work((ctx) => rename.renameProperty(ctx, id, { from, to }));
  if (call.isJson) await call.out.json(schema as unknown as Json);
  else await call.out.line(`The property ${from} of ${id} is now ${to}.`);
}

/** Warnings are advice: they fail only under --strict. */
export async function deleteSchema(call: Call, options: { force?: boolean }, id: string): Promise<number> {
  if (!(await requireConsent(call.host, options.force === true, `Delete the schema ${id}?`))) return 1;
  await call.work((ctx) => schemas.deleteSchema(ctx, id));
  if (call.isJson) await call.out.json({ deleted: id });
  else await call.out.line(`Schema ${id} is deleted.`);
  return 0;
}

export async function lintSchema(call: Call, options: { strict?: boolean }, id?: string): Promise<number> {
  const findings = await call.work((ctx) => lint.lintSchemas(ctx, id));
  const errors = findings.filter(({ level }) => level === "error").length;
  if (call.isJson) await call.out.json(findings as unknown as Json);
  else if (findings.length === 0) await call.out.line("No findings.");
  else {
    await call.out.table(
      ["LEVEL", "SCHEMA", "PROPERTY", "FINDING"],
      findings.map(({ level, schema, property, message }) => [level, schema, property ?? "", message]),
    );
  }
  return errors > 0 || (options.strict === true && findings.length > 0) ? 1 : 0;
}
