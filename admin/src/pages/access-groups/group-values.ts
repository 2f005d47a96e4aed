// A group as values of a form: its permissions lie beside its id and description, so that changes of two people to different
// parts do not meet. Pure.

import type { AccessGroup, Permissions } from "@contract/access-groups.ts";
import type { JsonObject } from "@contract/json.ts";

/** Under this name changes to groups are kept on this device. */
export const keptGroups = "-access-groups";

export function valuesOf({ id, description, permissions }: AccessGroup): JsonObject {
  return { ...(permissions as unknown as JsonObject), id, description };
}

export function groupOf({ id, description, ...permissions }: JsonObject): AccessGroup {
  return {
    id: String(id ?? "").trim(),
    description: String(description ?? ""),
    permissions: permissions as unknown as Permissions,
  };
}

export function isGroupId(id: string): boolean {
  return /^[a-z0-9][a-z0-9-]{0,63}$/.test(id);
}
