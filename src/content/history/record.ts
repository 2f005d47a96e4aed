// What the log keeps of each write, in the write's own transaction. An update keeps the old values of the properties that it
// changes, a deletion the whole object, a creation nothing but itself: versions are read backwards from what is stored.

import { millisecondsOf } from "#base/clock.ts";
import type { Collection } from "#content/collections/collection.ts";
import type { ObjectState } from "#content/objects/change.ts";
import type { Context } from "#context.ts";
import type { Json, JsonObject } from "#contract/json.ts";
import {
  type ChangeRecord,
  type DeletionRecord,
  hiddenAfter,
  hiddenBefore,
  maxContent,
  type Recorded,
} from "#storage/log/change-record.ts";
import { historyMode } from "./mode.ts";
import { writerOf } from "./writer.ts";

/** What all records of one work share. */
export interface Recorder {
  writer: number;
  note: string | null;
  /** Of changes that are not plain ones. */
  kind?: "restore" | "undo" | undefined;
  /** Those of an import are alike. */
  lastCreation?: { collection: Collection; now: string; record: ChangeRecord };
}

/** Before the transaction. Undefined: none of these collections keeps a history. */
export function openRecorder(
  ctx: Context,
  collections: readonly Collection[],
): Promise<Recorder> | Recorder | undefined {
  if (collections.every((collection) => historyMode(ctx, collection) === "off")) return undefined;
  const writer = writerOf(ctx);
  return typeof writer === "number" ? recorderOf(ctx, writer) : writer.then((made) => recorderOf(ctx, made));
}

function recorderOf({ trail }: Context, writer: number): Recorder {
  return { writer, note: trail?.note ?? null, kind: trail?.kind };
}

interface Recording {
  ctx: Context;
  collection: Collection;
  recorder: Recorder | undefined;
  now: string;
}

export function recordCreation({ ctx, collection, recorder, now }: Recording, document: JsonObject): Recorded {
  if (!recorder) return undefined;
  const { writer, note, kind, lastCreation: last } = recorder;
  const flags = document.draft === true ? hiddenAfter : 0;
  if (last?.collection === collection && last.now === now && last.record.flags === flags) return last.record;
  if (historyMode(ctx, collection) === "off") return undefined;
  const at = millisecondsOf(now);
  const record = { at, kind: kind ?? "create", flags, writer, note, props: null, content: null } as const;
  recorder.lastCreation = { collection, now, record };
  return record;
}

interface Changed {
  before: ObjectState;
  after: ObjectState;
  /** The properties that differ. */
  names: readonly string[];
  time: string;
}

export function recordUpdate(
  { ctx, collection, recorder }: Recording,
  { before, after, names, time }: Changed,
): Recorded {
  const mode = recorder ? historyMode(ctx, collection) : "off";
  if (!recorder || mode === "off") return undefined;
  const { writer, note, kind } = recorder;
  const flags = (before.document.draft === true ? hiddenBefore : 0) + (after.document.draft === true ? hiddenAfter : 0);
  const secrets = changedSecrets(before, after, names);
  const all = secrets.length === 0 ? names : [...names, ...secrets];
  // Also where only a password was changed: without a content the values would count as lost.
  const content = mode === "full" && all.length > 0 ? oldValues(before.document, names) : null;
  const props = JSON.stringify(all);
  return { at: millisecondsOf(time), kind: kind ?? "update", flags, writer, note, props, content };
}

export function recordDeletion(
  ctx: Context,
  { collection, recorder, now }: Omit<Recording, "ctx">,
): DeletionRecord | undefined {
  const mode = recorder ? historyMode(ctx, collection) : "off";
  if (!recorder || mode === "off") return undefined;
  const { writer, note } = recorder;
  return { at: millisecondsOf(now), writer, note, keepsContent: mode === "full" && !ctx.trail?.isPurge };
}

/** The properties that differ, at the top level. The time of the change is none of them. */
export function changedNames(before: JsonObject, after: JsonObject): string[] {
  const names: string[] = [];
  for (const name of Object.keys(before)) if (isChanged(before[name], after[name])) names.push(name);
  for (const name of Object.keys(after))
    if (!Object.hasOwn(before, name) && after[name] !== undefined) names.push(name);
  const time = names.indexOf("modified");
  if (time !== -1) names.splice(time, 1);
  return names;
}

function isChanged(old: Json | undefined, now: Json | undefined): boolean {
  if (old === now) return false;
  return typeof old !== "object" || typeof now !== "object" || JSON.stringify(old) !== JSON.stringify(now);
}

/** Names that were absent are listed under the empty name. Undefined values above the limit: they are not kept. */
function oldValues(before: JsonObject, names: readonly string[]): string | null {
  const content: JsonObject = {};
  const absent = names.filter((name) => before[name] === undefined);
  if (absent.length > 0) content[""] = absent;
  for (const name of names) {
    const value = before[name];
    if (value !== undefined) content[name] = value;
  }
  const text = JSON.stringify(content);
  return text.length > maxContent ? null : text;
}

/** A new password is named, and its hash is kept nowhere. */
function changedSecrets(before: ObjectState, after: ObjectState, named: readonly string[]): string[] {
  if (before.secrets === after.secrets) return [];
  const paths = new Set([...Object.keys(before.secrets), ...Object.keys(after.secrets)]);
  if (paths.size === 0) return [];
  const changed = [...paths].filter((path) => before.secrets[path] !== after.secrets[path]);
  return [...new Set(changed.map((path) => path.split(".")[0] as string))].filter((name) => !named.includes(name));
}
