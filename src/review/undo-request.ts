// Reads the request of an undo, and finds whose writes it is about. Administrators may undo everything; users their own writes
// and those of the applications that they let in.

import { isAdminPersona, isPublishedKey } from "#access/actor.ts";
import { parseDuration } from "#base/durations.ts";
import { fail } from "#base/errors.ts";
import { causeOfExtension } from "#content/extension-port.ts";
import type { Context } from "#context.ts";
import { type UndoMark, undoMarks } from "#contract/history.ts";
import { isJsonObject, type Json, type JsonObject } from "#contract/json.ts";
import { listWritersBy } from "#storage/tables/history/by-writer.ts";
import { findWriter, type WriterRow } from "#storage/tables/history/writers.ts";

const maxText = 500;
const maxNames = 200;
const maxForced = 10_000;
const pageLimit = { default: 50, max: 100 };
/** Rows that one query answers, and of one plan. */
const writersAtOnce = 500;
const maxWriters = 20_000;

export interface UndoOrder {
  mark: UndoMark;
  id: string;
  /** Milliseconds. */
  since: number | undefined;
  until: number | undefined;
  collections: string[] | undefined;
  limit: number;
  offset: number;
  apply: string | undefined;
  force: string[];
}

export function readUndo(ctx: Pick<Context, "clock">, sent: Json): UndoOrder {
  if (!isJsonObject(sent)) fail("invalid", "The body must be a JSON object.");
  const { by, apply } = sent;
  const names = isJsonObject(by) ? Object.keys(by) : [];
  const mark = undoMarks.find((known) => known === names[0]);
  if (!isJsonObject(by) || names.length !== 1 || mark === undefined)
    refuse("by", `must be an object with one of ${undoMarks.join(", ")}`);
  const id = by[mark];
  if (typeof id !== "string" || !isText(id) || (mark === "writer" && !/^[1-9]\d{0,14}$/.test(id)))
    refuse("by", `${mark} must be an id`);
  if (apply !== undefined && (typeof apply !== "string" || !/^[\w-]{1,100}$/.test(apply)))
    refuse("apply", "must be the plan of a preview");
  return {
    ...{ mark, id, apply },
    since: readTime(ctx, sent, "since"),
    until: readTime(ctx, sent, "until"),
    collections: sent.collections === undefined ? undefined : readNames(sent, "collections", maxNames),
    limit: Math.min(readWhole(sent, "limit", pageLimit.default), pageLimit.max),
    offset: readWhole(sent, "offset", 0),
    force: sent.force === undefined ? [] : readNames(sent, "force", maxForced),
  };
}

function isText(text: string): boolean {
  return text !== "" && text.length <= maxText && text.isWellFormed() && !text.includes("\0");
}

/** A time, or a duration before now. */
function readTime({ clock }: Pick<Context, "clock">, sent: JsonObject, name: string): number | undefined {
  const text = sent[name];
  if (text === undefined || text === null) return undefined;
  const ago = typeof text === "string" ? parseDuration(text) : undefined;
  const isDate = typeof text === "string" && /^\d{4}-/.test(text);
  const time = ago !== undefined ? clock.now() - ago : isDate ? Date.parse(text) : Number.NaN;
  return Number.isNaN(time)
    ? refuse(name, "must be a time such as 2026-01-31T08:00:00Z, or a duration such as P1D")
    : time;
}

function readWhole(sent: JsonObject, name: string, fallback: number): number {
  const value = sent[name] ?? fallback;
  if (typeof value === "number" && Number.isSafeInteger(value) && value >= 0) return value;
  return refuse(name, "must be a whole number");
}

function readNames(sent: JsonObject, name: string, max: number): string[] {
  const value = sent[name];
  const isList = Array.isArray(value) && value.length <= max;
  if (!isList || !value.every((one) => typeof one === "string" && isText(one)))
    return refuse(name, `must be a list of at most ${max} names`);
  return value as string[];
}

function refuse(name: string, problem: string): never {
  fail("invalid", `${name} ${problem}.`, { [name]: [problem] });
}

/** The numbers of the writers that the order is about, as far as the caller may undo them. */
export async function findUndoWriters(ctx: Context, { mark, id }: UndoOrder): Promise<number[]> {
  const mayUndo = rightOver(ctx, mark, id);
  const found: number[] = [];
  for await (const rows of readWriters(ctx, mark, id)) {
    found.push(...rows.filter(mayUndo).map((row) => row.id));
    if (found.length > maxWriters) fail("invalid", "These are too many writers for one undo. Name one of their runs.");
  }
  return found;
}

async function* readWriters({ storage }: Context, mark: UndoMark, id: string): AsyncGenerator<WriterRow[]> {
  if (mark === "writer") {
    const row = await findWriter(storage, Number(id));
    if (row) yield [row];
    return;
  }
  const column = mark === "import" ? "run" : mark === "extension" ? "automation" : mark;
  const wanted = mark === "extension" ? causeOfExtension(id) : id;
  for (let after = 0; ; ) {
    const rows = await listWritersBy(storage, column, wanted, { after, limit: writersAtOnce });
    if (rows.length > 0) yield rows;
    const last = rows.at(-1);
    if (!last || rows.length < writersAtOnce) return;
    after = last.id;
  }
}

/** Over MCP a caller undoes its own writes alone, whatever its rights are. */
function rightOver({ actor, surface }: Context, mark: UndoMark, id: string): (row: WriterRow) => boolean {
  if (actor.kind === "anonymous") fail("unauthenticated");
  // Old values may be of drafts.
  if (isPublishedKey(actor)) fail("invalid-key");
  if (surface === "mcp") {
    if (actor.kind === "token") return (row) => row.grantId === actor.grantId;
    if (actor.kind === "key") return (row) => row.keyId === actor.id;
  } else {
    if (isAdminPersona(actor)) return () => true;
    if (actor.kind === "user") {
      if (mark === "user" && id !== actor.id) fail("forbidden");
      return (row) => row.userId === actor.id;
    }
  }
  fail("forbidden");
}
