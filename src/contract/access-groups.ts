// The rights of a group of users.

import type { Operation } from "./collections.ts";

/** Some operations on some items: on all of them, or on those named. */
export interface ResourcePermission {
  operations: Operation[];
  all: boolean;
  allowed: string[];
}

export interface SurfacePermission {
  all: boolean;
  allowed: string[];
}

export interface Permissions {
  /** Collections' definitions and settings. */
  collectionsMeta: ResourcePermission;
  /** The objects in collections. */
  collections: ResourcePermission;
  schemas: ResourcePermission;
  builder: boolean;
  mailer: boolean;
  playground: boolean;
  dataviews: boolean;
  docs: boolean;
  utils: SurfacePermission;
  settings: SurfacePermission;
  extensions: SurfacePermission;
}

export interface AccessGroup {
  id: string;
  description: string;
  permissions: Permissions;
}

/** Unrestricted; its record is fixed. */
export const adminGroup = "admin";
/** The group of all signed-in users without a group. */
export const defaultGroup = "default";
/** The group of users who register, as shipped. A site that had a group of this id before has it under the next free one. */
export const memberGroup = "member";
