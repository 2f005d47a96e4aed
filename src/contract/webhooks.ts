// Outbound webhooks: their events, and their record.

export const webhookEvents = [
  "object.created",
  "object.updated",
  "object.deleted",
  "collection.created",
  "collection.updated",
  "collection.deleted",
  "schema.saved",
  "schema.deleted",
  "import.completed",
  "user.created",
  "user.updated",
  "user.deleted",
] as const;

export interface Webhook {
  id: string;
  name: string;
  url: string;
  /** Event names, `object.*` and the like, or `*`. */
  events: string[];
  /** Only events about these; empty: all. */
  collections: string[];
  active: boolean;
  /** Since when no delivery has succeeded. */
  failingSince: string | null;
  /** Why the service has switched it off. */
  disabledReason: string | null;
  created: string;
  updated: string;
}

export interface Delivery {
  id: string;
  webhook: string;
  event: string;
  status: "queued" | "delivered" | "failed";
  attempts: number;
  created: string;
  nextAttempt: string | null;
  finished: string | null;
  /** Of the last attempt. */
  responseStatus: number | null;
  response: string | null;
  durationMs: number | null;
  error: string | null;
}
