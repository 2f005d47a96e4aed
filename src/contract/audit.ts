// The logs of the service on the wire: sign-ins and changes of rights, the OAuth server, calls over MCP.

import type { Json } from "./json.ts";

export const auditLogs = ["access", "oauth", "mcp"] as const;
export type AuditLog = (typeof auditLogs)[number];

export const auditTypes = [
  "login.succeeded",
  "login.failed",
  "login.throttled",
  "logout",
  "session.ended",
  "impersonation.started",
  "impersonation.stopped",
  "user.created",
  "user.changed",
  "user.deleted",
  "group.saved",
  "group.deleted",
  "key.created",
  "key.deleted",
  "settings.changed",
  "sync.imported",
  "sync.pushed",
  "sync.pulled",
  "backup.created",
  "backup.downloaded",
  "backup.deleted",
  "jumpstart.imported",
  "webhook.saved",
  "webhook.deleted",
  "passkey.created",
  "passkey.deleted",
  "setup.completed",
  "automation.created",
  "automation.changed",
  "automation.deleted",
  "automation.disabled",
  "extension.enabled",
  "extension.disabled",
  "extension.changed",
  "extension.failed",
  "extension.quarantined",
  "view.created",
  "view.changed",
  "view.deleted",
  "schema.saved",
  "schema.deleted",
  "template.saved",
  "template.deleted",
  "redirects.changed",
  "form.accepted",
  "collection.opened",
  "signing-keys.made",
  "history.sealed",
  "history.forgotten",
] as const;
export type AuditType = (typeof auditTypes)[number];

export const oauthTypes = [
  "client.created",
  "client.dynamic_registered",
  "client.deleted",
  "consent.granted",
  "consent.denied",
  "token.issued",
  "token.refreshed",
  "token.revoked",
  "scope.rejected",
  "security.refresh_replay",
  "security.code_replay",
  "security.rate_limit",
] as const;
export type OAuthEventType = (typeof oauthTypes)[number];

export const mcpTypes = ["tools/call", "resources/read", "prompts/get", "summary"] as const;
export type McpEventType = (typeof mcpTypes)[number];

/** The events of each log. */
export const logTypes: Record<AuditLog, readonly string[]> = {
  access: auditTypes,
  oauth: oauthTypes,
  mcp: mcpTypes,
};

/** `GET /api/audit`: one line of a log, with whatever else the line says. */
export interface AuditEntry {
  /** Its place in the log; also a value of `cursor` and `after`. */
  id: string;
  time: string;
  type: string;
  /** Of the OAuth and MCP logs. */
  level?: string;
  message?: string;
  /** The caller, such as `user:ada`. */
  actor?: string;
  /** The id of the user it is about. */
  user?: string;
  [more: string]: Json | undefined;
}
