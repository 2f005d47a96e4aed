// The filters of the page, as they stand in its address, and what the server is asked for.

import { type AuditLog, auditLogs, logTypes } from "@contract/audit.ts";

export interface Question {
  log: AuditLog;
  type: string;
  user: string;
  /** Calendar days where the browser is; empty: any. */
  from: string;
  to: string;
}

/** What the address says; what it cannot mean is left out. */
export function questionOf(search: Record<string, string | undefined>): Question {
  const log = auditLogs.find((name) => name === search.log) ?? "access";
  const { type = "", user = "", from = "", to = "" } = search;
  return { log, type: logTypes[log].includes(type) ? type : "", user, from: dayOf(from), to: dayOf(to) };
}

/** For the address: only what differs from an empty question. */
export function searchOf({ log, ...rest }: Question): Record<string, string> {
  const given = Object.entries(rest).filter(([, value]) => value !== "");
  return { ...(log !== "access" && { log }), ...Object.fromEntries(given) };
}

export function hasFilters({ type, user, from, to }: Question): boolean {
  return [type, user, from, to].some((value) => value !== "");
}

/** The parameters of the route. Days begin and end in the browser's own zone. */
export function paramsOf({ log, type, user, from, to }: Question): Record<string, string | undefined> {
  return {
    log,
    type: type || undefined,
    user: user || undefined,
    since: from === "" ? undefined : new Date(`${from}T00:00:00`).toISOString(),
    until: to === "" ? undefined : new Date(`${to}T23:59:59.999`).toISOString(),
  };
}

function dayOf(text: string): string {
  return /^\d{4}-\d{2}-\d{2}$/.test(text) && !Number.isNaN(Date.parse(text)) ? text : "";
}
