// Validates an access group. A part that is left out grants nothing; an unknown part is refused, so that
// a typo never passes for a rule. Pure: knows no database.

import { type ErrorDetails, fail } from "#base/errors.ts";
import {
  type AccessGroup,
  adminGroup,
  type Permissions,
  type ResourcePermission,
  type SurfacePermission,
} from "#contract/access-groups.ts";
import { type Operation, operations } from "#contract/collections.ts";
import { isJsonObject, type Json, type JsonObject } from "#contract/json.ts";

/** In addresses of the admin a part that begins with a hyphen is a page. */
const idPattern = /^[a-z0-9][a-z0-9-]{0,63}$/;
const maxDescription = 1_000;
const maxNames = 1_000;
const maxNameLength = 200;

/** `id`: the one in the path, when there is one. */
export function checkGroup(body: Json, id?: string): AccessGroup {
  if (!isJsonObject(body)) return fail("invalid", "An access group is described by an object.");
  const details: ErrorDetails = {};
  const part = reader(details, "", body, ["id", "description", "permissions"]);
  const sentId = body.id ?? id;
  if (typeof sentId !== "string" || !idPattern.test(sentId))
    details.id = ["must be 1 to 64 lower-case letters, digits and hyphens, the first no hyphen"];
  else if (id !== undefined && sentId !== id) details.id = [`must be "${id}" or left out`];
  else if (sentId === adminGroup) details.id = [`the group "${adminGroup}" cannot be changed`];
  const group = {
    id: sentId as string,
    description: part("description", "", asDescription),
    permissions: readPermissions(details, part("permissions", {}, asObject)),
  };
  if (Object.keys(details).length > 0) fail("invalid", "The access group is not valid.", details);
  return group;
}

function readPermissions(details: ErrorDetails, sent: JsonObject): Permissions {
  const names = [
    ...["collectionsMeta", "collections", "schemas"],
    ...["builder", "mailer", "playground", "dataviews", "docs"],
    ...["utils", "settings", "extensions"],
  ];
  const part = reader(details, "permissions", sent, names);
  const resource = (name: string): ResourcePermission => {
    const inner = reader(details, `permissions.${name}`, part(name, {}, asObject), ["operations", "all", "allowed"]);
    return {
      operations: inner("operations", [], asOperations),
      all: inner("all", false, asBoolean),
      allowed: inner("allowed", [], asNames),
    };
  };
  const surface = (name: string): SurfacePermission => {
    const inner = reader(details, `permissions.${name}`, part(name, {}, asObject), ["all", "allowed"]);
    return { all: inner("all", false, asBoolean), allowed: inner("allowed", [], asNames) };
  };
  return {
    collectionsMeta: resource("collectionsMeta"),
    collections: resource("collections"),
    schemas: resource("schemas"),
    builder: part("builder", false, asBoolean),
    mailer: part("mailer", false, asBoolean),
    playground: part("playground", false, asBoolean),
    dataviews: part("dataviews", false, asBoolean),
    docs: part("docs", false, asBoolean),
    utils: surface("utils"),
    settings: surface("settings"),
    extensions: surface("extensions"),
  };
}

/** Reads one value: the value, or its problem. */
type Reading<T> = (value: Json) => { value: T } | { problem: string };

/** Reads the parts of an object; problems and unknown parts go to `details` under their dotted names. */
function reader(details: ErrorDetails, path: string, sent: JsonObject, known: string[]) {
  const nameOf = (name: string) => (path ? `${path}.${name}` : name);
  for (const name of Object.keys(sent))
    if (!known.includes(name)) details[nameOf(name).slice(0, maxNameLength)] = ["is not known"];
  return <T>(name: string, absent: T, read: Reading<T>): T => {
    const value = sent[name];
    if (value === undefined) return absent;
    const found = read(value);
    if ("value" in found) return found.value;
    details[nameOf(name)] = [found.problem];
    return absent;
  };
}

const asObject: Reading<JsonObject> = (value) => (isJsonObject(value) ? { value } : { problem: "must be an object" });

const asBoolean: Reading<boolean> = (value) =>
  typeof value === "boolean" ? { value } : { problem: "must be true or false" };

const asDescription: Reading<string> = (value) =>
  typeof value === "string" && value.length <= maxDescription
    ? { value: value.trim() }
    : { problem: `must be text of at most ${maxDescription} characters` };

const asOperations: Reading<Operation[]> = (value) =>
  Array.isArray(value) && value.every((each) => operations.includes(each as Operation))
    ? { value: operations.filter((operation) => value.includes(operation)) }
    : { problem: `must be a list of ${operations.join(", ")}` };

const asNames: Reading<string[]> = (value) =>
  Array.isArray(value) && value.length <= maxNames && value.every(isName)
    ? { value: [...new Set(value as string[])] }
    : { problem: `must be a list of at most ${maxNames} names of at most ${maxNameLength} characters` };

function isName(value: Json): boolean {
  return typeof value === "string" && value !== "" && value.length <= maxNameLength;
}
