// What a group of users may do.

import type { Operation } from "./collections.ts";

/** Some operations on some things: on all of them, or on those named. */
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
/** Stands for every signed-in user who has no group. */
export const defaultGroup = "default";
