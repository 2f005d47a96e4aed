// audit:list.

import { listAudit } from "#access/audit-list.ts";
import { parseDuration } from "#base/durations.ts";
import type { Call } from "#cli/call.ts";
import { clean, escapeControls } from "#cli/output.ts";
import { UsageError } from "#cli/usage.ts";
import { auditTypes } from "#contract/audit.ts";
import type { JsonObject } from "#contract/json.ts";

interface ListOptions {
  type?: string;
  since?: string;
  limit: string;
}

export async function list(call: Call, options: ListOptions): Promise<void> {
  const filter = { type: checkType(options.type), since: sinceOf(options.since) };
  const limit = limitOf(options.limit);
  await call.work(async (ctx) => {
    const events = listAudit(ctx, filter);
    await print(call, limit === 0 ? events : await lastOf(events, limit));
  });
}

async function print(call: Call, events: Iterable<JsonObject> | AsyncIterable<JsonObject>): Promise<void> {
  const { out, isJson } = call;
  let separator = "[\n  ";
  for await (const event of events) {
    if (isJson) await out.write(separator + escapeControls(JSON.stringify(event)));
    else await out.line(clean(describeEvent(event)));
    separator = ",\n  ";
  }
  const isEmpty = separator.startsWith("[");
  if (isJson) await out.line(isEmpty ? "[]" : "\n]");
  else if (isEmpty) call.remark("No events.");
}

function describeEvent({ time, type, actor, ...rest }: JsonObject): string {
  const more = Object.entries(rest).map(
    ([name, value]) => `${name}=${typeof value === "string" ? value : JSON.stringify(value)}`,
  );
  return [time, type, actor, ...more].join("  ");
}

async function lastOf(events: AsyncIterable<JsonObject>, limit: number): Promise<JsonObject[]> {
  let kept: JsonObject[] = [];
  for await (const event of events) {
    kept.push(event);
    // Cut only now and then: cheaper than cutting on every line.
    if (kept.length >= 2 * limit) kept = kept.slice(-limit);
  }
  return kept.slice(-limit);
}

function checkType(type: string | undefined): string | undefined {
  const types: readonly string[] = auditTypes;
  if (type === undefined || types.includes(type)) return type;
  throw new UsageError(`There is no event ${type}. The events are ${types.join(", ")}.`);
}

function sinceOf(text: string | undefined): string | undefined {
  if (text === undefined) return undefined;
  const ago = parseDuration(text);
  const time = ago === undefined ? Date.parse(text) : Date.now() - ago;
  if (Number.isNaN(new Date(time).getTime()))
    throw new UsageError("--since must be a duration such as P1D, or a date such as 2026-01-31.");
  return new Date(time).toISOString();
}

function limitOf(text: string): number {
  if (!/^\d{1,9}$/.test(text)) throw new UsageError("--limit must be a whole number; 0 is no limit.");
  return Number(text);
}
