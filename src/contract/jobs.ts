// Jobs and runs of automations, as the API shows them.

import type { Json, JsonObject } from "./json.ts";

export type JobStatus = "queued" | "running" | "succeeded" | "failed";

export const jobStatuses: readonly JobStatus[] = ["queued", "running", "succeeded", "failed"];

export interface JobAnswer {
  id: string;
  kind: string;
  subject: string;
  status: JobStatus;
  attempts: number;
  maxAttempts: number;
  createdAt: string | null;
  runAt: string | null;
  startedAt: string | null;
  finishedAt: string | null;
  /** When somebody cancelled it. A running job stops after the step that it is at, and has then failed. */
  cancelledAt: string | null;
  /** Whether it can be cancelled now. */
  canCancel: boolean;
  progress: { done: number; total: number };
  result: Json;
  error: string | null;
}

/** `GET /api/automations/{id}/runs`: one of them. */
export interface Run {
  runId: string;
  status: JobStatus;
  trigger: string;
  queuedAt: string;
  startedAt: string | null;
  finishedAt: string | null;
  /** Only where somebody cancelled it: when. */
  cancelledAt?: string;
  durationMs: number | null;
  attempts: number;
  result: Json;
  error: string | null;
  log: string[];
}

/** `GET /api/automations/{id}/runs/{run}`: with what the handler was given. */
export interface RunDetails extends Run {
  args: JsonObject;
  event: JsonObject | null;
  request: JsonObject | null;
}

/** What event triggers can wait for. */
export const automationEvents = [
  "object.created",
  "object.updated",
  "object.deleted",
  "collection.created",
  "collection.updated",
  "collection.deleted",
  "schema.saved",
  "schema.deleted",
  "template.saved",
  "template.deleted",
  "import.created",
  "import.updated",
  "import.completed",
  "user.login",
  "user.logout",
  "extension.enabled",
  "extension.disabled",
  "extension.failed",
  "extension.quarantined",
] as const;

/** `GET /api/automations`: one of them, and how its runs went. */
export interface AutomationState {
  id: string;
  name: string;
  category: string;
  enabled: boolean;
  /** Switched off by the service after too many failures. */
  autoDisabled: boolean;
  /** Types of its triggers. */
  triggers: string[];
  /** Its webhook answers everybody. */
  open: boolean;
  /** Up to 20 that have ended, the last one first. */
  lastRuns: EndedRun[];
  queued: number;
  running: number;
  /** The next time of a schedule; null while it is off. */
  next: string | null;
}

export interface EndedRun {
  runId: string;
  status: "succeeded" | "failed";
  finishedAt: string;
  durationMs: number | null;
  error: string | null;
}
