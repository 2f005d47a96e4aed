// Lifetimes of codes and tokens: from the settings, when they are issued.

import { parseDuration } from "#base/durations.ts";
import type { App } from "#context.ts";

type Lifetime = "oauth.accessTokenTtl" | "oauth.refreshTokenTtl" | "oauth.authCodeTtl";

/** A century: times beyond the year 9999 are written, and so compared, differently. */
const longestMs = 100 * 365 * 86_400_000;

export function lifetimeMs({ settings }: Pick<App, "settings">, setting: Lifetime): number {
  return Math.min(parseDuration(settings.get(setting)) as number, longestMs);
}

/** The end of something that begins at this time. */
export function expiryOf(app: Pick<App, "settings">, setting: Lifetime, beginsMs: number): string {
  return new Date(beginsMs + lifetimeMs(app, setting)).toISOString();
}

/** When the last refresh token of a grant ends, however often it is renewed; Infinity: no such end. */
export function chainEndMs({ settings }: Pick<App, "settings">, { created }: { created: string }): number {
  const days = settings.get("oauth.grantMaxDays");
  return days === 0 ? Number.POSITIVE_INFINITY : Date.parse(created) + days * 86_400_000;
}
