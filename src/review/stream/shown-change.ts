// What a caller sees of a change in the stream. Drafts are for those who see them: for all others an object that becomes one
// is deleted, and one that stops being one is created. Who changed it is for those who may change it.

import { isAllowed } from "#access/allow.ts";
import { findCollection, subjectOf } from "#content/collections/collection-cache.ts";
import { seesDrafts } from "#content/collections/open-collection.ts";
import { changeEntry } from "#content/history/entry.ts";
import { mayFollow, seesAll } from "#content/history/feed.ts";
import type { Context } from "#context.ts";
import type { ChangeKind } from "#contract/history.ts";
import { hiddenAfter, hiddenBefore, kindOf } from "#storage/log/change-record.ts";
import { isOwnNumber, type OwnNumbers } from "#storage/log/own-numbers.ts";
import type { Followed } from "./tail.ts";

/** What a caller may know of a collection's changes. */
export interface Sight {
  seesDrafts: boolean;
  seesWriters: boolean;
  /** Of a former collection of the same id others see only that it was deleted. */
  numbers: OwnNumbers | undefined;
}

/** Undefined: nothing. */
export async function sightOf(ctx: Context, id: string): Promise<Sight | undefined> {
  const collection = await findCollection(ctx, id);
  if (!isAllowed(ctx.actor, "read", subjectOf(ctx, id, collection?.settings))) return undefined;
  if (ctx.actor.kind === "anonymous" && !ctx.settings.get("changes.publicStreams")) return undefined;
  const numbers = seesAll(ctx.actor) ? undefined : collection?.numbers;
  return { seesDrafts: seesDrafts(ctx, "read", id), seesWriters: mayFollow(ctx.actor, id), numbers };
}

/** JSON; undefined where the caller does not see the change. */
export function changeText(change: Followed, sight: Sight): { text: string; isGone: boolean } | undefined {
  const kind = sight.seesDrafts ? kindOf(change.row.kind) : publicKind(change);
  if (kind === undefined) return undefined;
  const isOwn = isOwnNumber(sight.numbers, change.row.rid);
  if (!isOwn && change.row.rid !== 0) return undefined;
  const seesWriters = sight.seesWriters && isOwn;
  const form = `${kind} ${seesWriters}`;
  let text = change.texts.get(form);
  if (text === undefined) {
    const { note, hasContent, ...entry } = changeEntry(change.row, seesWriters ? change.writer : undefined);
    const isSame = kind === entry.kind;
    const shown = { ...entry, kind, properties: isSame ? entry.properties : [] };
    text = JSON.stringify(seesWriters ? { ...shown, note, hasContent } : shown);
    change.texts.set(form, text);
  }
  return { text, isGone: kind === "delete" || kind === "collection" };
}

function publicKind({ row: { kind, flags } }: Followed): ChangeKind | undefined {
  const [wasHidden, isHidden] = [(flags & hiddenBefore) !== 0, (flags & hiddenAfter) !== 0];
  const name = kindOf(kind);
  if (name === "collection") return name;
  if (name === "delete") return wasHidden ? undefined : name;
  if (isHidden) return wasHidden || name === "create" ? undefined : "delete";
  return wasHidden ? "create" : name;
}
