// The record of calls over MCP: channel mcp-activity in {data_dir}/.system/logs/mcp.log, beside the OAuth records, one line a
// call. Values that are content or may be secret stay out: of an object only its keys, of an address no query, of a
// file nothing.
// Lines are gathered for a moment, so that a call never waits for the disk. Writes are always recorded; of reads and
// failures only up to a limit a minute, so that a busy client cannot push the OAuth records out of the files that are kept.

import { nameOf } from "#access/actor.ts";
import { shareLine } from "#access/logs/shared-logs.ts";
import { appendLine, oneLine } from "#base/logs/log-lines.ts";
import type { Context } from "#context.ts";
import type { McpEventType } from "#contract/audit.ts";
import { isJsonObject, type Json, type JsonObject } from "#contract/json.ts";
import { oauthLog } from "#oauth/audit.ts";

export interface Activity {
  /** As the protocol names it. */
  method: Exclude<McpEventType, "summary">;
  name: string;
  args: JsonObject;
  durationMs: number;
  /** It changed something, or tried to. */
  isWrite?: boolean;
  /** Why it failed: the code alone. */
  error?: string | undefined;
}

const gatherMs = 100;
const windowMs = 60_000;
const linesPerWindow = 60;
const maxText = 120;
const maxArguments = 50;
const secretName = /pass|pwd|secret|token|key|auth|credential/i;

interface Journal {
  lines: string[];
  timer: NodeJS.Timeout | undefined;
  windowStart: number;
  written: number;
  /** Calls of this window that were not written one by one. */
  skipped: number;
}

const journals = new WeakMap<object, Journal>();

export function recordActivity(ctx: Context, activity: Activity): void {
  const journal = journalOf(ctx);
  if (!hasRoom(ctx, journal, activity)) return;
  const { method, name, args, durationMs, error } = activity;
  const { actor, origin } = ctx;
  write(ctx, journal, error === undefined ? "DEBUG" : "ERROR", `${method} ${plainName(name)}`, {
    type: method,
    actor: nameOf(actor),
    ...(actor.kind === "token" && { client_id: actor.clientId, grant_id: actor.grantId }),
    ...(origin && { address: origin.address, request_id: origin.requestId }),
    arguments: shownArguments(args),
    ms: Math.round(durationMs * 10) / 10,
    ...(error !== undefined && { error }),
  });
}

function hasRoom(ctx: Context, journal: Journal, { isWrite, error }: Activity): boolean {
  const now = ctx.clock.now();
  if (now - journal.windowStart >= windowMs) {
    if (journal.skipped > 0)
      write(ctx, journal, "INFO", "more calls than were written", { type: "summary", calls: journal.skipped });
    Object.assign(journal, { windowStart: now, written: 0, skipped: 0 });
  }
  if (isWrite && error === undefined) return true;
  journal.written += 1;
  if (journal.written <= linesPerWindow) return true;
  journal.skipped += 1;
  return false;
}

function write(ctx: Context, journal: Journal, level: string, ...[message, context]: [string, JsonObject]): void {
  const at = ctx.clock.iso();
  const line = `[${at}] mcp-activity.${level}: ${message} ${oneLine(JSON.stringify(context))}`;
  journal.lines.push(line);
  shareLine(ctx, { log: "mcp", at, line });
  journal.timer ??= setTimeout(() => flush(ctx), gatherMs).unref();
}

function flush(ctx: Pick<Context, "settings" | "log">): void {
  const journal = journalOf(ctx);
  clearTimeout(journal.timer);
  journal.timer = undefined;
  const lines = journal.lines.splice(0);
  if (lines.length === 0) return;
  try {
    appendLine(oauthLog(ctx), lines.join("\n"));
  } catch (error) {
    ctx.log.error({ err: error, lines: lines.length }, "the MCP log could not be written");
  }
}

function journalOf({ settings, log }: Pick<Context, "settings" | "log">): Journal {
  let journal = journals.get(settings);
  if (!journal) {
    journal = { lines: [], timer: undefined, windowStart: 0, written: 0, skipped: 0 };
    journals.set(settings, journal);
    process.once("exit", () => flush({ settings, log }));
  }
  return journal;
}

/** Names come from callers too: nothing in one begins a line or ends the message. */
function plainName(name: string): string {
  return name.replace(/[^\w:/.{}-]/g, "?").slice(0, maxText);
}

export function shownArguments(args: JsonObject): JsonObject {
  const kept: JsonObject = {};
  for (const [name, value] of Object.entries(args).slice(0, maxArguments))
    kept[name.slice(0, maxText)] = shown(name, value);
  return kept;
}

function shown(name: string, value: Json): Json {
  if (secretName.test(name)) return "[redacted]";
  if (Array.isArray(value)) return `[${value.length} entries]`;
  if (isJsonObject(value)) return { keys: Object.keys(value).slice(0, maxArguments).join(" ").slice(0, 500) };
  if (typeof value !== "string") return value;
  if (name === "content") return `[${value.length} characters]`;
  const text = name === "url" && URL.canParse(value) ? withoutSecrets(new URL(value)) : value;
  return text.length > maxText ? `${text.slice(0, maxText)}...` : text;
}

function withoutSecrets({ origin, pathname }: URL): string {
  return origin + pathname;
}
