// What a key that does not open everything may do, by its grants. Two grants never add up to a third: an operation needs one
// grant that allows it alone. A grant counts at its own address (`here`), where its method let the request in. For everything
// else that the request touches it counts only as far as the same could be done at its address (`elsewhere`), by its methods.
// Users, code and the results of code take a grant that names them; whatever else makes an administrator takes `*`.

import { type Operation, operations } from "#contract/collections.ts";
import { covers, type Entry, findEntry, type Grant, type KeyScope } from "./key-scope.ts";
import type { Subject } from "./subject.ts";

/** A grant above these does not open them. */
export const guardedCollections: ReadonlySet<string> = new Set(["auth", "automations", "dataviews"]);

/** Undefined: there are none. */
export function limitsOf(scope: KeyScope): KeyScope | undefined {
  return opensAll(scope) && !scope.isPublished ? undefined : scope;
}

export function opensAll({ grants }: KeyScope): boolean {
  return grants[0] === "*";
}

/** The methods of requests about objects. */
export const methodsOf: Record<Operation, string[]> = {
  create: ["POST"],
  read: ["GET"],
  update: ["PUT", "PATCH"],
  delete: ["DELETE"],
};

/** A limited key, and the request that it came with; without one it is deferred work in its name. */
export interface Limited {
  limits: KeyScope;
  entry?: Entry | undefined;
}

const [all, read]: [readonly Operation[], readonly Operation[]] = [operations, ["read"]];

/** What the grants of a first segment do to objects. A segment that is missing here does nothing: it adds a way of looking. */
interface Kind {
  /** To those of the collection in the address, by the method that the address was asked with. */
  here: readonly Operation[];
  /** Where another grant let the request in. */
  elsewhere: readonly Operation[];
}

const files: Kind = { here: ["read", "update"], elsewhere: [] };
const agents: Kind = { here: all, elsewhere: [] };
const listings: Kind = { here: read, elsewhere: read };
const kinds: ReadonlyMap<string, Kind> = new Map([
  ["collections", { here: all, elsewhere: all }],
  ["export", listings],
  ["report", listings],
  ["import", { here: ["create", "update"], elsewhere: ["create"] }],
  ["imageworks", { ...files, here: read }],
  ["download", { ...files, here: read }],
  ["stream", { ...files, here: read }],
  ["upload", files],
  ["dataviews", agents],
  // Everything comes by POST.
  ["mcp", agents],
  ["sync", agents],
]);

/** Where the name of the collection is; undefined: the address is about more than one. */
function placeOf([first, second]: readonly string[]): number | undefined {
  switch (first) {
    case "mcp":
    case "sync":
    case "dataviews":
      return undefined;
    case "import":
    case "export":
    case "report":
      return second === "jumpstart" ? undefined : 2;
    case "download":
    case "stream":
      return second === "upload" ? 2 : 1;
    default:
      return 1;
  }
}

/** Beside the collections that are not guarded. */
const namedBy: Readonly<Record<string, readonly string[]>> = {
  // Sync writes code by nature.
  sync: ["automations", "dataviews"],
  dataviews: ["dataviews"],
};

function opensObjects({ limits, entry }: Limited, operation: Operation, collection: string): boolean {
  if (opensAll(limits)) return !guardedCollections.has(collection);
  if (entry && isHere(entry, operation, collection)) return true;
  // What the address is for is opened by its own grants alone.
  if (entry && isAddressed(entry, collection)) return false;
  const hasMethod = methodsOf[operation].some((method) => limits.methods.has(method));
  if (hasMethod && limits.grants.some((grant) => isElsewhere(grant, operation, collection))) return true;
  return entry === undefined && hasGrant(limits, "sync") && isNamed("sync", collection);
}

function isHere({ segments, grants }: Entry, operation: Operation, collection: string): boolean {
  const [first = ""] = segments;
  if (!kinds.get(first)?.here.includes(operation)) return false;
  const place = placeOf(segments);
  if (place === undefined) return isNamed(first, collection);
  const isNamedByGrant = () => grants.some((grant) => grant.length > place);
  return segments[place] === collection && (!guardedCollections.has(collection) || isNamedByGrant());
}

function isAddressed({ segments }: Entry, collection: string): boolean {
  const place = kinds.has(segments[0] ?? "") ? placeOf(segments) : undefined;
  return place !== undefined && segments[place] === collection;
}

/** Let in by grants below the collection alone: they open this address, and not what it leads to in the same collection. */
export function isNarrow(entry: Entry | undefined, collection: string): boolean {
  if (!entry || !isAddressed(entry, collection)) return false;
  const place = placeOf(entry.segments) ?? 0;
  return entry.grants.every((grant) => grant !== "*" && grant.length > place + 1);
}

function isNamed(first: string, collection: string): boolean {
  if (namedBy[first]?.includes(collection)) return true;
  return first !== "dataviews" && !guardedCollections.has(collection);
}

/** A grant below a collection opens one address of it, and nothing of it elsewhere. */
function isElsewhere(grant: Grant, operation: Operation, collection: string): boolean {
  const [first = "", second] = grant;
  if (!kinds.get(first)?.elsewhere.includes(operation)) return false;
  if (grant.length === 1) return !guardedCollections.has(collection);
  const place = placeOf(grant as readonly string[]);
  if (place === undefined) return grant.length === 2 && !guardedCollections.has(collection);
  if (place === 2 && second !== "collections") return false;
  const name = grant[place];
  if (name === undefined) return !guardedCollections.has(collection);
  return name === collection && grant.length === place + 1;
}

/** Whether a key can do this to objects at all. Agents and sync do everything by POST. */
export function hasMethodFor({ limits, entry }: Limited, operation: Operation): boolean {
  const first = entry === undefined ? (hasGrant(limits, "sync") ? "sync" : "") : entry.segments[0];
  if (first === "mcp" || first === "sync") return true;
  return methodsOf[operation].some((method) => limits.methods.has(method));
}

/** The entry of an agent; for work that one has begun, and that is done later. */
export function entryOfAgents(limits: KeyScope | undefined): Entry | undefined {
  return limits && findEntry(limits, "POST", "/mcp");
}

export function isAt(entry: Entry | undefined, first: string): boolean {
  return entry?.segments[0] === first;
}

export function isWithinLimits(key: Limited, operation: Operation, subject: Subject): boolean {
  const { isPublished } = key.limits;
  // Changing mailers is the right to send mail.
  const sendsMail = subject.kind === "objects" && subject.collection === "mailer" && operation !== "read";
  if (isPublished && sendsMail) return false;
  if (subject.kind === "objects") return opensObjects(key, operation, subject.collection);
  if (operation !== "read" && (isPublished || isDefinitionOfAgent(key, subject))) return false;
  switch (subject.kind) {
    case "collections":
      return opensCollections(key, operation, subject.collection);
    case "schemas":
      return opensDefinitions(key, operation, schemaDoors);
    case "templates":
      return opensDefinitions(key, operation, templateDoors);
    case "util":
      return opensDefinitions(key, operation, utilDoors[subject.util] ?? noDoors);
    case "extension": {
      const [vendor = ""] = subject.extension.split("/", 1);
      const { limits } = key;
      return !isPublished && limits.grants.some((grant) => isExtension(grant, [vendor, subject.extension]));
    }
    case "extensions":
      return !isPublished && opensDefinitions(key, operation, extensionDoors);
    case "metrics":
    case "settings":
    case "sync":
      return !isPublished && opensDefinitions(key, operation, { writing: [subject.kind] });
    case "runs":
      return !isPublished && opensDefinitions(key, operation, { writing: ["automations-admin"] });
    default:
      return false;
  }
}

/** Texts that agents read may tell them to open a collection: only a key for every endpoint lets them. */
export function isDefinitionOfAgent({ entry }: Pick<Limited, "entry">, { kind }: Subject): boolean {
  return isAt(entry, "mcp") && (kind === "collections" || kind === "schemas" || kind === "templates");
}

/** Definitions and settings. Lists of them show what each caller may read. */
function opensCollections(key: Limited, operation: Operation, collection: string | undefined): boolean {
  const { limits, entry } = key;
  if (collection === undefined && operation === "read") return true;
  if (opensAll(limits)) return collection === undefined || !guardedCollections.has(collection);
  if (isAt(entry, "sync")) return collection === undefined || isNamed("sync", collection);
  const name = collection ?? "";
  if (entry && (isAt(entry, "collections") || operation === "read") && isHere(entry, operation, name)) return true;
  if (!methodsOf[operation].some((method) => limits.methods.has(method))) return false;
  return limits.grants.some((grant) => {
    // A new one is made above all of them.
    if (operation === "create") return covers(grant, ["collections"]) && !guardedCollections.has(name);
    if (grant[0] !== "collections" && operation !== "read") return false;
    return grant[0] !== "report" && isElsewhere(grant, operation, name);
  });
}

interface Doors {
  /** First segments, or paths, at which the key does everything. */
  writing: readonly string[];
  /** First segments at which it reads. */
  reading?: readonly string[];
}

const noDoors: Doors = { writing: [] };
const schemaDoors: Doors = {
  writing: ["schemas", "sync", "import/schemas"],
  reading: ["mcp", "collections", "export", "import"],
};
const templateDoors: Doors = { writing: ["templates", "template-history", "sync"], reading: ["export"] };
const extensionDoors: Doors = { writing: ["extensions"], reading: ["mcp"] };
const utilDoors: Readonly<Record<string, Doors>> = {
  cache: { writing: ["cache", "mcp"] },
  jumpstart: { writing: ["import"], reading: ["export"] },
};

/** By the address of the request; else by a grant for it, and its method. */
function opensDefinitions({ limits, entry }: Limited, operation: Operation, doors: Doors): boolean {
  if (opensAll(limits)) return true;
  const open = operation === "read" ? [...doors.writing, ...(doors.reading ?? [])] : doors.writing;
  if (entry && open.some((door) => covers(door.split("/"), entry.segments))) return true;
  if (entry === undefined && open.includes("sync") && hasGrant(limits, "sync")) return true;
  const hasMethod = methodsOf[operation].some((method) => limits.methods.has(method));
  const own = doors.writing.filter((door) => door !== "mcp" && door !== "sync");
  return hasMethod && own.some((door) => limits.grants.some((grant) => covers(grant, door.split("/"))));
}

export function hasGrant({ grants }: KeyScope, first: string): boolean {
  return grants.some((grant) => grant !== "*" && grant[0] === first);
}

/** Whole ones: a grant below opens one address, and nothing else that an extension adds. */
function isExtension(grant: Grant, ids: readonly string[]): boolean {
  if (grant === "*" || grant[0] !== "ext" || grant.length > 3) return false;
  const id = grant.slice(1).join("/");
  return id === "" || ids.includes(id);
}
