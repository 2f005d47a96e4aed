// The log of the OAuth server: {data_dir}/.system/logs/mcp.log, channel oauth-activity, one line an event:
// [time] oauth-activity.LEVEL: message {json}. Never a token, code or secret; of a token only the beginning of its hash.
// A log that cannot be written never fails the request.

import { hash } from "node:crypto";
import { join } from "node:path";
import { shareLine } from "#access/logs/shared-logs.ts";
import { appendLine, filesOf, jsonLine } from "#base/logs/log-lines.ts";
import type { App } from "#context.ts";
import type { OAuthEventType } from "#contract/audit.ts";

/** Each type, its level and its message. */
const types: Record<OAuthEventType, [level: string, message: string]> = {
  "client.created": ["INFO", "OAuth client created"],
  "client.dynamic_registered": ["INFO", "OAuth client registered itself"],
  "client.deleted": ["INFO", "OAuth client deleted"],
  "consent.granted": ["INFO", "User approved access"],
  "consent.denied": ["INFO", "User denied access"],
  "token.issued": ["INFO", "Access token issued"],
  "token.refreshed": ["INFO", "Access token refreshed"],
  "token.revoked": ["INFO", "Grant revoked"],
  "scope.rejected": ["INFO", "Request without the required scope"],
  "security.refresh_replay": ["WARNING", "Used refresh token presented, grant revoked"],
  "security.code_replay": ["WARNING", "Used authorization code presented, grant revoked"],
  "security.rate_limit": ["WARNING", "Rate limit hit"],
};

export interface OAuthEvent {
  type: OAuthEventType;
  clientId?: string | undefined;
  userId?: string | undefined;
  scopes?: Iterable<string> | undefined;
  grantId?: string | undefined;
  /** The token itself; only the beginning of its hash is written. */
  token?: string | undefined;
  /** More details, such as endpoint and address. */
  details?: Record<string, string> | undefined;
}

type Parts = Pick<App, "clock" | "log"> & { settings: { readonly dataDir: string } };

/** Written when it returns. */
export function recordOAuth(app: Parts, { type, clientId, userId, scopes, grantId, token, details }: OAuthEvent): void {
  const [level, message] = types[type];
  const context = {
    type,
    client_id: clientId,
    user_id: userId,
    scopes: scopes && [...scopes],
    grant_id: grantId,
    token_hash: token === undefined ? undefined : tokenMark(token),
    ...details,
  };
  const at = app.clock.iso();
  const line = `[${at}] oauth-activity.${level}: ${message} ${jsonLine(context)}`;
  shareLine(app, { log: "oauth", at, line });
  try {
    appendLine(oauthLog(app), line);
  } catch (error) {
    app.log.error({ err: error, type }, "the OAuth log could not be written");
  }
}

export function oauthLog({ settings }: Pick<Parts, "settings">): string {
  return join(settings.dataDir, ".system", "logs", "mcp.log");
}

/** The files that may exist, newest first. Calls over MCP are in them too. */
export function oauthFiles(parts: Pick<Parts, "settings">): string[] {
  return filesOf(oauthLog(parts));
}

/** Enough to distinguish two tokens, and useless to a reader. */
function tokenMark(token: string): string {
  return `${hash("sha256", token, "hex").slice(0, 8)}…`;
}
