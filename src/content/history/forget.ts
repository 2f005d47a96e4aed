// Erasure at once: the contents, notes and old files of all changes of one object, with what is in the trash of it; or a
// pseudonym in the place of a user. That something was changed, and when, stays known, and the seals still hold.

import { randomBytes } from "node:crypto";
import { allow } from "#access/allow.ts";
import { audit } from "#access/audit.ts";
import { fail } from "#base/errors.ts";
import { yieldToEventLoop } from "#base/event-loop.ts";
import { removeKept } from "#content/file-removal.ts";
import type { Context } from "#context.ts";
import { listWritersBy, type WriterMark } from "#storage/tables/history/by-writer.ts";
import { listDeletionsOf } from "#storage/tables/history/changes.ts";
import { eraseNote, listNotes } from "#storage/tables/history/contents.ts";
import { listKeptOf } from "#storage/tables/history/retention.ts";
import { renameWriter, type WriterRow } from "#storage/tables/history/writers.ts";
import { findDocument } from "#storage/tables/objects.ts";
import { emptyAtOnce } from "./empty.ts";
import { hasherOf } from "./seal-hash.ts";

const atOnce = 100;

export interface Forgotten {
  /** Changes whose content is gone. */
  changes: number;
  notes: number;
}

/** Of each object that has this id or had it when it was deleted. The object itself stays. */
export async function forgetObject(ctx: Context, collection: string, id: string): Promise<Forgotten> {
  allow(ctx, "delete", { kind: "audit" });
  const numbers = await findNumbers(ctx, collection, id);
  if (numbers.size === 0) fail("not-found", `The log knows no object "${id}" of "${collection}".`);
  const done: Forgotten = { changes: 0, notes: 0 };
  for (const rid of numbers) {
    done.changes += await forgetContents(ctx, rid);
    done.notes += await forgetNotes(ctx, rid);
    await removeKept(ctx, rid);
  }
  audit(ctx, { type: "history.forgotten", details: { collection, id, ...done } });
  return done;
}

async function findNumbers({ storage }: Context, collection: string, id: string): Promise<Set<number>> {
  const live = await findDocument(storage, collection, id);
  const numbers = new Set(live ? [live.rid] : []);
  for (let after = 0; ; ) {
    const rows = await listDeletionsOf(storage, { collection, id }, { after, limit: atOnce });
    for (const { rid } of rows) numbers.add(rid);
    const last = rows.at(-1);
    if (!last || rows.length < atOnce) return numbers;
    after = last.seq;
  }
}

async function forgetContents(ctx: Context, rid: number): Promise<number> {
  const all = { from: 0, to: Number.MAX_SAFE_INTEGER };
  let done = 0;
  for (;;) {
    const rows = await listKeptOf(ctx.storage, rid, all);
    if (rows.length === 0) return done;
    done += await ctx.storage.write((tx) => emptyAtOnce(ctx, tx, rows));
    await yieldToEventLoop();
  }
}

async function forgetNotes(ctx: Context, rid: number): Promise<number> {
  const hasher = hasherOf(ctx);
  let done = 0;
  for (let after = 0; ; ) {
    const notes = await listNotes(ctx.storage, rid, after, atOnce);
    const last = notes.at(-1);
    if (!last) return done;
    await ctx.storage.write(async (tx) => {
      for (const note of notes) await eraseNote(tx, note, hasher.note(note.note));
    });
    done += notes.length;
    after = last.seq;
    await yieldToEventLoop();
  }
}

export interface ForgottenUser {
  /** What stands in the place of the user. */
  pseudonym: string;
  writers: number;
}

/** One pseudonym for all that the user wrote, by whatever door. A user that still exists writes on under its own name. */
export async function forgetUser(ctx: Context, user: string): Promise<ForgottenUser> {
  allow(ctx, "delete", { kind: "audit" });
  const pseudonym = `erased-${randomBytes(6).toString("hex")}`;
  let writers = 0;
  for (const mark of ["user", "impersonator"] as const) writers += await rename(ctx, mark, { user, pseudonym });
  if (writers === 0) fail("not-found", `The log knows no user "${user}".`);
  audit(ctx, { type: "history.forgotten", details: { pseudonym, writers } });
  return { pseudonym, writers };
}

interface Renaming {
  user: string;
  pseudonym: string;
}

async function rename(ctx: Context, mark: WriterMark, renaming: Renaming): Promise<number> {
  const hasher = hasherOf(ctx);
  let done = 0;
  for (let after = 0; ; ) {
    const writers = await listWritersBy(ctx.storage, mark, renaming.user, { after, limit: atOnce });
    const last = writers.at(-1);
    if (!last) return done;
    await ctx.storage.write(async (tx) => {
      for (const writer of writers) {
        const was = writer.was?.split(".")[0] ?? hasher.writer(writer) ?? "";
        const row = withPseudonym(writer, renaming);
        await renameWriter(tx, { ...row, was: hasher.pseudonym(was, row) });
      }
    });
    done += writers.length;
    after = last.id;
    await yieldToEventLoop();
  }
}

/** Also the mark is another one: the old one could be guessed. */
function withPseudonym(writer: WriterRow, { user, pseudonym }: Renaming): WriterRow {
  const isOwn = writer.userId === user;
  return {
    ...writer,
    mark: `${pseudonym}-${writer.id}`,
    actor: isOwn ? writer.actor.replace(`:${user}`, () => `:${pseudonym}`) : writer.actor,
    userId: isOwn ? pseudonym : writer.userId,
    impersonator: writer.impersonator === user ? pseudonym : writer.impersonator,
  };
}
