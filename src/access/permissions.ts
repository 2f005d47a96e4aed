// The permission model: what groups grant, and the groups that every installation starts with.

import {
  type AccessGroup,
  memberGroup,
  type Permissions,
  type ResourcePermission,
  type SurfacePermission,
} from "#contract/access-groups.ts";
import { type Operation, operations } from "#contract/collections.ts";
import type { Subject } from "./subject.ts";

const nothing: ResourcePermission = { operations: [], all: false, allowed: [] };
const everything: ResourcePermission = { operations: [...operations], all: true, allowed: [] };
const reading: ResourcePermission = { operations: ["read"], all: true, allowed: [] };
const noSurface: SurfacePermission = { all: false, allowed: [] };
const everySurface: SurfacePermission = { all: true, allowed: [] };

export const noPermissions: Permissions = {
  collectionsMeta: nothing,
  collections: nothing,
  schemas: nothing,
  builder: false,
  mailer: false,
  playground: false,
  dataviews: false,
  docs: false,
  utils: noSurface,
  settings: noSurface,
  extensions: noSurface,
};

export const shippedGroups: readonly AccessGroup[] = [
  {
    id: "admin",
    description: "May do everything",
    permissions: {
      collectionsMeta: everything,
      collections: everything,
      schemas: everything,
      builder: true,
      mailer: true,
      playground: true,
      dataviews: true,
      docs: true,
      utils: everySurface,
      settings: everySurface,
      extensions: everySurface,
    },
  },
  {
    id: "editor",
    description: "Writes content",
    permissions: {
      ...noPermissions,
      collectionsMeta: reading,
      collections: everything,
      schemas: reading,
      mailer: true,
      docs: true,
      utils: { all: false, allowed: ["jumpstart", "project-setup", "image-batcher"] },
    },
  },
  { id: "viewer", description: "Reads content", permissions: { ...noPermissions, collections: reading, docs: true } },
  {
    id: "default",
    description: "Every signed-in user without a group",
    permissions: { ...noPermissions, collections: reading, docs: true },
  },
  { id: memberGroup, description: "People who register", permissions: noPermissions },
];

/** Collections whose objects are a feature: their switch must be on as well. */
const switches = new Map<string, "builder" | "mailer" | "playground" | "dataviews">([
  ["builder-pages", "builder"],
  ["mailer", "mailer"],
  ["playground", "playground"],
  ["dataviews", "dataviews"],
]);

/** Holds users, and code that the server runs: never a group's to give. */
export const adminOnlyCollections: ReadonlySet<string> = new Set(["auth", "automations"]);

/** Collections whose objects the service itself acts by. */
export const serviceCollections: ReadonlySet<string> = new Set([
  ...adminOnlyCollections,
  ...switches.keys(),
  "mcp-prompt",
]);

/** Prompts speak to the agents of administrators, so groups may give reading them, and nothing more. */
export function isForAdmins(operation: Operation, collection: string): boolean {
  return adminOnlyCollections.has(collection) || (collection === "mcp-prompt" && operation !== "read");
}

/** No right beyond what is public. */
export function isNothing(permissions: Permissions): boolean {
  return Object.values(permissions).every((part: boolean | ResourcePermission | SurfacePermission) => {
    if (typeof part === "boolean") return !part;
    return (!part.all && part.allowed.length === 0) || ("operations" in part && part.operations.length === 0);
  });
}

/** Whether any of the groups allows it. Subjects that are not named here are for administrators alone. */
export function permits(groups: readonly Permissions[], operation: Operation, subject: Subject): boolean {
  switch (subject.kind) {
    case "objects": {
      const { collection } = subject;
      if (isForAdmins(operation, collection)) return false;
      const feature = switches.get(collection);
      return groups.some((group) => covers(group.collections, operation, collection) && (!feature || group[feature]));
    }
    case "collections":
      if (subject.collection !== undefined && adminOnlyCollections.has(subject.collection)) return false;
      return groups.some((group) => covers(group.collectionsMeta, operation, subject.collection));
    case "schemas":
      return groups.some((group) => covers(group.schemas, operation, subject.schema));
    case "templates":
      return groups.some(({ builder }) => builder);
    case "util":
      return groups.some(({ utils }) => utils.all || utils.allowed.includes(subject.util));
    case "extension":
      return groups.some(({ extensions }) => extensions.all || extensions.allowed.includes(subject.extension));
    default:
      return false;
  }
}

/** Without a name it is about all of them: to list needs any, to create needs all. */
function covers(permission: ResourcePermission, operation: Operation, id: string | undefined): boolean {
  if (!permission.operations.includes(operation)) return false;
  if (permission.all) return true;
  if (id !== undefined) return permission.allowed.includes(id);
  return operation === "read" && permission.allowed.length > 0;
}
