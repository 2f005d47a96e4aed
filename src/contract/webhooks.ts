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
  "site.purge",
  "history.sealed",
  "extension.enabled",
  "extension.disabled",
  "extension.failed",
  "extension.quarantined",
] as const;

export interface Webhook {
  id: string;
  name: string;
  url: string;
  /** Event names, `object.*` and the like, or `*`. */
  events: string[];
  /** Only events about these; empty: all. */
  collections: string[];
  /** Sent with each delivery. Their values are secrets, which no answer shows. */
  headers: { name: string }[];
  active: boolean;
  /** Since when no delivery has succeeded. */
  failingSince: string | null;
  /** Why the service has switched it off. */
  disabledReason: string | null;
  created: string;
  updated: string;
}

/** `GET /api/webhooks`. */
export interface ListedWebhook extends Webhook {
  /** The newest delivery. */
  lastDelivery: Pick<Delivery, "id" | "event" | "status" | "created" | "responseStatus" | "error"> | null;
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

/** `GET /api/webhooks/{id}/deliveries/{delivery}`. */
export interface DeliveryWithRequest extends Delivery {
  /** The body as it is sent. The signature is made for each attempt, so no header is kept. */
  request: string;
}
