// What a right is about: the things of an installation that callers may or may not read and change. Types only.

import type { Operation } from "#contract/collections.ts";

export type Subject =
  /** The objects of a collection; its settings say what the public may do. `id`: one of them. */
  | {
      kind: "objects";
      collection: string;
      publicOperations: readonly Operation[];
      id?: string | undefined;
      /** Over MCP this stands in the place of `publicOperations`. */
      exposure?: Exposure | undefined;
    }
  /** Definitions and settings of collections. */
  | { kind: "collections"; collection?: string }
  | { kind: "schemas"; schema?: string }
  | { kind: "templates" }
  | { kind: "util"; util: string }
  | { kind: "settings" }
  /** Whole definitions between two installations. */
  | { kind: "sync" }
  /** The remote of sync, which this installation has the key of. */
  | { kind: "remote" }
  | { kind: "keys" }
  | { kind: "groups" }
  | { kind: "users" }
  /** Clients and grants of the OAuth server. */
  | { kind: "oauth" }
  /** Whole backups, which hold every secret. */
  | { kind: "backups" }
  | { kind: "audit" }
  | { kind: "jobs" }
  /** Running automations by hand, and what came of their runs. */
  | { kind: "runs" }
  | { kind: "webhooks" }
  | { kind: "extensions" }
  /** Using what one extension adds. */
  | { kind: "extension"; extension: string }
  | { kind: "metrics" };

/** Whom the MCP card of a collection shows it to. */
export type Exposure = "public" | "authenticated" | "admin";
