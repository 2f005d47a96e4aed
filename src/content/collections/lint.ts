// Checks schemas: errors are parts that the service cannot use, warnings are advice.
// Reads the files as they are written, and their flattened form. Changes nothing.

import { allow } from "#access/allow.ts";
import { fail } from "#base/errors.ts";
import type { Context } from "#context.ts";
import { isJsonObject, type Json, type JsonObject } from "#contract/json.ts";
import type { LintFinding, PropertyDefinition, SchemaRecord } from "#contract/schemas.ts";
import { type FindSchema, inherit } from "#rules/inherit.ts";
import { itemSchemaId, resolveType } from "#rules/property-types.ts";
import { type AddedKinds, addedKinds, isAddedName, isBasedOn } from "#schemas/added-kinds.ts";
import { customSchemaIds, findRawSchema, isBuiltIn, readRecord } from "#schemas/find-schema.ts";
import { unusedWords } from "#schemas/misspelt.ts";
import { formProblems, shapeProblems } from "#schemas/normalise-schema.ts";

const besideMessages = {
  conflict: (id: string) =>
    `Its file was edited while it had changed elsewhere; the edit is kept as ${id}.json.conflict`,
  rejected: (id: string) => `An edit of its file was refused; it is kept as ${id}.json.rejected`,
};

/** One schema, or all custom ones. */
export async function lintSchemas(ctx: Context, id?: string): Promise<LintFinding[]> {
  allow(ctx, "read", { kind: "schemas", ...(id !== undefined && { schema: id }) });
  const broken = ctx.schemaFiles.broken().filter((file) => id === undefined || file.id === id);
  const unreadable = broken.map(({ id: schema, reason }) => ({ schema, level: "error" as const, message: reason }));
  const beside = (await ctx.definitions?.beside("schemas")) ?? [];
  const waiting = beside
    .filter((edit) => id === undefined || edit.id === id)
    .map(({ id: schema, word }) => ({ schema, level: "warning" as const, message: besideMessages[word](schema) }));
  if (id !== undefined && unreadable.length + waiting.length === 0 && !findRawSchema(ctx, id)) {
    fail("not-found", `There is no schema "${id}".`);
  }
  const shadowing = ctx.schemaFiles.ids().filter((file) => isBuiltIn(file) && (id === undefined || file === id));
  const shadowed = shadowing.map((schema) => ({
    schema,
    level: "error" as const,
    message: "The file has the id of a built-in schema and is ignored",
  }));
  const brought = await broughtKinds(ctx);
  const ids = id === undefined ? customSchemaIds(ctx) : findRawSchema(ctx, id) ? [id] : [];
  return [...unreadable, ...waiting, ...shadowed, ...ids.flatMap((schema) => lintSchema(ctx, schema, brought))];
}

/** One that is not saved, as it was sent. */
export async function lintUnsaved(ctx: Context, body: Json): Promise<LintFinding[]> {
  if (!isJsonObject(body)) return fail("invalid", "A schema must be a JSON object.");
  const id = typeof body.id === "string" ? body.id : "";
  allow(ctx, "read", { kind: "schemas", ...(id !== "" && { schema: id }) });
  const raw = readRecord(id, body);
  const brought = await broughtKinds(ctx);
  const find: FindSchema = (other) => (other === id ? raw : findRawSchema(ctx, other));
  return lintRecord({ raw, written: body, find, kinds: addedKinds(ctx.storage), brought });
}

/** The field kinds of extensions that are enabled. */
async function broughtKinds({ extensions }: Context): Promise<ReadonlySet<string>> {
  return new Set((await extensions.of("fields")).map(({ extension, entry }) => `${extension}:${entry.kind}`));
}

function lintSchema(ctx: Context, id: string, brought: ReadonlySet<string>): LintFinding[] {
  const find = (schema: string): SchemaRecord | undefined => findRawSchema(ctx, schema);
  const raw = find(id) as SchemaRecord;
  const written = (isBuiltIn(id) ? undefined : ctx.schemaFiles.find(id)) ?? (raw as unknown as JsonObject);
  return lintRecord({ raw, written: { ...written, id }, find, kinds: addedKinds(ctx.storage), brought });
}

interface Linted {
  raw: SchemaRecord;
  written: JsonObject;
  find: FindSchema;
  /** Field kinds of extensions: those that are known, and those of enabled ones. */
  kinds: AddedKinds;
  brought: ReadonlySet<string>;
}

function lintRecord({ raw, written, find, kinds, brought }: Linted): LintFinding[] {
  const { id } = raw;
  const findings: LintFinding[] = [];
  const report = (level: LintFinding["level"], message: string, property?: string): void => {
    findings.push({ schema: id, level, ...(property !== undefined && { property }), message });
  };
  const whole = inherit(raw, find);

  for (const problems of [formProblems(written), shapeProblems(raw, find)]) {
    for (const [name, messages] of Object.entries(problems))
      for (const message of messages) report("error", message, name);
  }
  if (!Object.hasOwn(whole.properties, "id")) report("error", "No property id is defined");
  for (const list of ["required", "index"] as const) {
    for (const name of raw[list]) {
      if (!Object.hasOwn(whole.properties, name)) report("error", `${list} names a property that does not exist`, name);
    }
  }
  for (const { name, message, isMistake } of unusedWords({ written, names: Object.keys(whole.properties) }))
    if (name !== "required" && name !== "index") report(isMistake ? "error" : "warning", message, name);
  for (const parent of raw.inheritFrom ?? []) {
    if (!find(parent)) report("error", `inheritFrom names "${parent}", which does not exist`);
  }
  for (const [name, definition] of Object.entries(raw.properties)) {
    const target = itemSchemaId(definition);
    if (target !== undefined && !find(target)) report("error", `The shape "${target}" does not exist`, name);
    const problem = kindProblem(definition, kinds, brought);
    if (problem !== undefined) report("warning", problem, name);
    if (!definition.help) report("warning", "There is no help text", name);
  }
  for (const name of whole.index) {
    const definition = whole.properties[name];
    if (definition && resolveType(definition) === "password") {
      report("warning", "A password is never indexed; take it out of index", name);
    }
  }
  if (!raw.description) report("warning", "There is no description");
  return findings;
}

/** Undefined: it names no field kind of an extension, or one that works. */
function kindProblem(
  definition: PropertyDefinition,
  kinds: AddedKinds,
  brought: ReadonlySet<string>,
): string | undefined {
  const { field } = definition;
  if (!isAddedName(field)) return undefined;
  const kind = kinds.get(field);
  const type = resolveType(definition);
  if (!kind) return `No extension has brought the field kind ${field}; values are stored as ${type}`;
  if (!isBasedOn(type, kind))
    return `The field kind ${field} has the type ${kind.type}, the property ${type}: the kind is ignored`;
  if (!brought.has(field))
    return `The extension ${kind.extension} is not enabled: its field kind ${field} is used as it was`;
  return undefined;
}
