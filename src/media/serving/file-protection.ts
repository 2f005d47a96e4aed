// What protects a file, a folder or a depot: shown and changed. Passwords are set here as in any other change of the object;
// only here they are removed.

import { allowTarget } from "#access/allow.ts";
import { fail } from "#base/errors.ts";
import { changeObject } from "#content/objects/change-object.ts";
import type { ObjectAnswer } from "#content/objects/object-answer.ts";
import { findPresentSecrets, storedDocument } from "#content/objects/stored-document.ts";
import type { Precondition } from "#content/preconditions.ts";
import type { Context } from "#context.ts";
import type { FileProtection } from "#contract/admin.ts";
import { isJsonObject, type Json, type JsonObject } from "#contract/json.ts";
import type { KeyMethod } from "#contract/keys.ts";
import { depotOf } from "#media/depots.ts";
import { getRow, type OpenFiles, openFiles } from "#media/open-files.ts";
import { fieldSettings } from "#schemas/field-settings.ts";
import { findInDepot, withEntries } from "#schemas/values/depot-tree.ts";
import { listOf, valueAt, withValueAt } from "#schemas/values/file-values.ts";
import { isSingle } from "#schemas/values/resolve-file.ts";
import { readFileRef } from "./file-refs.ts";
import { isProtectedByDefault } from "./file-rights.ts";
import { secretOf } from "./protection.ts";

export async function getProtection(ctx: Context, sent: Json): Promise<FileProtection> {
  const files = await open(ctx, sent, "GET");
  const { collection, id, property } = files;
  const row = await getRow(ctx, { collection: collection.id, id });
  const value = valueAt(storedDocument(ctx, collection.schema, row), files.path);
  if (!lockedValue(files, value)) noFile(files);
  const secrets = (await findPresentSecrets(ctx.storage, collection, id)) ?? {};
  const [own = [], ...above] = pathsUp(files);
  const holder = above.find((path) => secrets[secretOf(path)] !== undefined);
  const flag = isJsonObject(value) ? value.protected : undefined;
  const isByDefault = isProtectedByDefault({ property }, fieldSettings(collection.settings, id, property));
  return {
    protected: typeof flag === "boolean" ? flag : isByDefault,
    hasPassword: secrets[secretOf(own)] !== undefined,
    lockedBy: holder?.join("/") ?? "",
    groups: collection.settings.groups,
  };
}

/** The rules for changes of protection are in lock-changes.ts. */
export async function changeProtection(ctx: Context, sent: Json, { ifMatch }: Precondition): Promise<ObjectAnswer> {
  const files = await open(ctx, sent, "PUT");
  const { collection, id, path } = files;
  const [own = []] = pathsUp(files);
  const { isRemoved, ...fields } = readFields(sent, own.length > path.length);
  return changeObject(
    ctx,
    { collection, id, ifMatch },
    {
      sent: sentAt(files, fields),
      change(current) {
        const value = valueAt(current, path);
        const input = withValueAt(current, path, withFields(files, value, fields)) as JsonObject;
        const changed = new Set([path[0] as string]);
        return { input, changed, ...(isRemoved && { unlock: own.join(".") }) };
      },
    },
  );
}

async function open(ctx: Context, sent: Json, method: KeyMethod): Promise<OpenFiles> {
  if (ctx.actor.kind === "anonymous") fail("unauthenticated");
  const ref = readFileRef(sent);
  allowTarget(ctx, ref.collection, method);
  return openFiles(ctx, ref);
}

interface Fields {
  protected?: boolean;
  password?: string;
  isRemoved: boolean;
}

function readFields(sent: Json, isInside: boolean): Fields {
  const { protected: flag, password } = sent as JsonObject;
  if (flag !== undefined && typeof flag !== "boolean") refuse("protected", "must be true or false");
  if (flag !== undefined && isInside) refuse("protected", "is set for the whole depot");
  const isRemoved = password === null;
  if (password !== undefined && !isRemoved && (typeof password !== "string" || password === ""))
    refuse("password", "must be text, or null to remove it");
  if (flag === undefined && password === undefined) refuse("password", "or protected is required");
  return {
    ...(typeof flag === "boolean" && { protected: flag }),
    ...(typeof password === "string" && { password }),
    isRemoved,
  };
}

/** Where the password of what is meant would be, then those of the folders around it and of the depot. */
function pathsUp({ property, path, rest }: OpenFiles): string[][] {
  const below = isSingle(property) ? [] : rest;
  const count = property.kind.type === "depot" ? below.length + 1 : 1;
  return Array.from({ length: count }, (_, up) => [...path, ...below.slice(0, below.length - up)]);
}

/** The value that holds the protection. */
function lockedValue(files: OpenFiles, value: Json | undefined): JsonObject | undefined {
  const { property, rest } = files;
  if (property.kind.type === "depot") return rest.length === 0 ? depotOf(files, value) : findInDepot(value, rest);
  if (property.kind.type === "gallery") return rest.length === 1 ? namedIn(value, rest[0]) : undefined;
  return isJsonObject(value) && (rest.length === 0 || rest.join("/") === value.name) ? value : undefined;
}

function namedIn(value: Json | undefined, name: string | undefined): JsonObject | undefined {
  return listOf(value).find((item): item is JsonObject => isJsonObject(item) && item.name === name);
}

function withFields(files: OpenFiles, value: Json | undefined, fields: JsonObject): Json {
  const { property, rest } = files;
  const found = lockedValue(files, value) ?? noFile(files);
  const next = { ...found, ...fields };
  const replace = (entries: Json[]) => entries.map((entry) => (entry === found ? next : entry));
  if (property.kind.type === "gallery") return replace(listOf(value));
  if (property.kind.type === "depot" && rest.length > 0)
    return withEntries(value as JsonObject, rest.slice(0, -1), replace);
  return next;
}

/** Fields at their place, for those that look at what was sent; a deck holds the one item. */
function sentAt({ path, items }: OpenFiles, fields: JsonObject): JsonObject {
  let sent: Json = fields;
  for (let at = path.length - 1; at >= 0; at -= 1) {
    const name = path[at] as string;
    const isItem = items.some((item) => item.length === at + 1);
    sent = isItem ? [{ id: name, ...(sent as JsonObject) }] : { [name]: sent };
  }
  return sent as JsonObject;
}

function noFile({ rest }: OpenFiles): never {
  fail("not-found", rest.length === 0 ? "There is no file." : `There is no file or folder "${rest.join("/")}".`);
}

function refuse(field: string, message: string): never {
  fail("invalid", `The field "${field}" ${message}.`, { [field]: [message] });
}
