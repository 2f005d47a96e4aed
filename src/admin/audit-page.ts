// Pages of the logs, newest first: sign-ins and changes of rights, the OAuth server, calls over MCP.
// One request reads a bounded part of the files, or of the database that nodes share, in pieces, whatever their size; a cursor
// leads on. Where little matches, a page may have fewer entries than asked for, or none, and a cursor all the same.

import { allow } from "#access/allow.ts";
import { auditFiles } from "#access/audit.ts";
import { readSharedBack } from "#access/logs/shared-log-pages.ts";
import { settleLogs } from "#access/logs/shared-logs.ts";
import { parseDuration } from "#base/durations.ts";
import { isPlace, type LogLine, type LogPiece, readBack } from "#base/logs/log-files.ts";
import { findText, type Params, readChoice, readWhole, refuse } from "#content/query/parameters.ts";
import type { Context } from "#context.ts";
import { type AuditEntry, type AuditLog, auditLogs, logTypes } from "#contract/audit.ts";
import { isJsonObject, type JsonObject } from "#contract/json.ts";
import { oauthFiles } from "#oauth/audit.ts";

export const auditLimit = { default: 50, max: 200 };
/** Of one request. */
const maxBytes = 4 * 1_048_576;
/** Lines of several processes, and of calls that are written together, are not in exact order. */
const disorderMs = 60_000;

export interface AuditPage {
  entries: AuditEntry[];
  /** Undefined: there is nothing older. */
  cursor: string | undefined;
}

interface Question {
  log: AuditLog;
  type: string | undefined;
  user: string | undefined;
  /** Milliseconds since 1970. */
  since: number | undefined;
  until: number | undefined;
  limit: number;
  cursor: string | undefined;
  after: string | undefined;
}

export async function getAuditPage(ctx: Context, params: Params): Promise<AuditPage> {
  allow(ctx, "read", { kind: "audit" });
  const question = readQuestion(ctx, params);
  const entries: AuditEntry[] = [];
  let left = maxBytes;
  await settleLogs(ctx);
  for await (const { lines, bytes, place } of readPieces(ctx, question)) {
    for (const line of lines) {
      if (isOver(question, line)) return { entries, cursor: undefined };
      const entry = readEntry(question, line);
      if (entry) entries.push(entry);
      if (entries.length === question.limit) return { entries, cursor: line.place };
    }
    left -= bytes;
    if (left <= 0) return { entries, cursor: place };
  }
  return { entries, cursor: undefined };
}

function readPieces(ctx: Context, { log, cursor: before, since, until, after }: Question): AsyncIterable<LogPiece> {
  if (ctx.storage.isShared) return readSharedBack(ctx.storage, log, { before, after, since, until });
  const paths = log === "access" ? auditFiles(ctx) : oauthFiles(ctx);
  const skips = (first: string) => until !== undefined && (timeIn(first) ?? 0) > until + disorderMs;
  return readBack(paths, { before, skips });
}

function readQuestion(ctx: Context, params: Params): Question {
  const log = readChoice(params, "log", auditLogs, "access");
  const type = findText(params, "type");
  if (type !== undefined && !logTypes[log].includes(type))
    refuse("type", `type must be an event of the log ${log}: ${logTypes[log].join(", ")}.`);
  return {
    ...{ log, type, user: findText(params, "user") },
    since: readTime(ctx, params, "since"),
    until: readTime(ctx, params, "until"),
    limit: Math.min(readWhole(params, "limit", { least: 1, fallback: auditLimit.default }), auditLimit.max),
    cursor: readPlace(params, "cursor"),
    after: readPlace(params, "after"),
  };
}

/** A time, or a duration before now. */
function readTime({ clock }: Context, params: Params, name: string): number | undefined {
  const text = findText(params, name);
  if (text === undefined) return undefined;
  const ago = parseDuration(text);
  const time = ago === undefined ? (/^\d{4}-/.test(text) ? Date.parse(text) : Number.NaN) : clock.now() - ago;
  if (Number.isNaN(time))
    refuse(name, `${name} must be a date, a time such as 2026-01-31T08:00:00Z, or a duration such as P1D.`);
  return time;
}

function readPlace(params: Params, name: string): string | undefined {
  const text = findText(params, name);
  if (text !== undefined && !isPlace(text)) refuse(name, `${name} must be the id of an entry, or an X-Next-Cursor.`);
  return text;
}

/** Nothing from here on is asked for. */
function isOver({ since, after }: Question, { text, place }: LogLine): boolean {
  if (after !== undefined && isSameOrOlder(place, after)) return true;
  const time = since === undefined ? undefined : timeIn(text);
  return time !== undefined && time < (since as number) - disorderMs;
}

/** Of places in one file. */
function isSameOrOlder(place: string, than: string): boolean {
  const [file, offset] = place.split(".");
  const [otherFile, other] = than.split(".");
  return file === otherFile && Number(offset) <= Number(other);
}

/** Both kinds of line begin with their time. */
function timeIn(line: string): number | undefined {
  const text = /^(?:\{"time":"|\[)([^"\]]{10,40})/.exec(line)?.[1];
  const time = text === undefined ? Number.NaN : Date.parse(text);
  return Number.isNaN(time) ? undefined : time;
}

function readEntry(question: Question, { text, place }: LogLine): AuditEntry | undefined {
  const { log, type, user, since = Number.NEGATIVE_INFINITY, until = Number.POSITIVE_INFINITY } = question;
  // Cheap looks first: most lines of a narrow question are not parsed.
  if (type !== undefined && !text.includes(`"type":${JSON.stringify(type)}`)) return undefined;
  if (user !== undefined && !text.includes(JSON.stringify(user).slice(1, -1))) return undefined;
  const event = log === "access" ? parseObject(text) : parseActivity(text, log);
  if (typeof event?.time !== "string" || typeof event.type !== "string") return undefined;
  const time = Date.parse(event.time);
  if (!(time >= since && time <= until)) return undefined;
  if (type !== undefined && event.type !== type) return undefined;
  const entry = { ...event, id: place, time: event.time, type: event.type, ...aboutUser(event) } as AuditEntry;
  return user === undefined || concerns(entry, user) ? entry : undefined;
}

/** The OAuth log has a name of its own for the user. */
function aboutUser({ user, user_id: userId }: JsonObject): { user?: string } {
  const id = user ?? userId;
  return typeof id === "string" ? { user: id } : {};
}

/** The user is the one it is about, who did it, or who acted as another. */
function concerns({ user, actor, impersonator }: AuditEntry, id: string): boolean {
  const isActor = actor === `user:${id}` || (typeof actor === "string" && actor.startsWith(`token:${id}:`));
  return user === id || isActor || impersonator === id;
}

/** `[time] oauth-activity.LEVEL: message {json}`. */
function parseActivity(line: string, log: AuditLog): JsonObject | undefined {
  const [, time, channel, level, rest = ""] = /^\[([^\]]+)\] (\w+)-activity\.([A-Z]+): (.*)$/.exec(line) ?? [];
  const at = rest.indexOf(" {");
  const event = channel === log && at > 0 ? parseObject(rest.slice(at + 1)) : undefined;
  return event && { ...event, time: time as string, level: level as string, message: rest.slice(0, at) };
}

/** Undefined for a line that was cut off. */
function parseObject(text: string): JsonObject | undefined {
  try {
    const value = JSON.parse(text);
    return isJsonObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
