// Is a kept page still what a rendering would make? While no version has moved that is a comparison of numbers; else what was
// read is asked for again, as little of it as possible.

import { getCollection } from "#content/collections/collection-cache.ts";
import { isDraft, storedDocument } from "#content/objects/stored-document.ts";
import type { App } from "#context.ts";
import type { CollectionReads, PageRecord, ReadObject } from "#site/template/recorder.ts";
import type { ObjectChange, Storage, VersionScope } from "#storage/port.ts";
import { findDocuments, findVersions, versionOf } from "#storage/query/object-versions.ts";
import { hashOf, objectsScope } from "./page-record.ts";

/** Nothing has moved. */
export function isUntouched(storage: Storage, { scopes, versions }: PageRecord): boolean {
  for (let at = 0; at < scopes.length; at += 1) {
    if (storage.version(scopes[at] as VersionScope) !== versions[at]) return false;
  }
  return true;
}

/** This scope alone; also where time decides about the rest. */
export function isUnmoved(storage: Storage, { scopes, versions }: PageRecord, scope: VersionScope): boolean {
  const at = scopes.indexOf(scope);
  return at < 0 || storage.version(scope) === versions[at];
}

/**
 * True: this process made all writes since, none of them changed what was read, and the record stands for the present
 * versions. Nothing is asked for. False: `recheck` decides.
 */
export function isUnchangedByOwn(storage: Storage, record: PageRecord): boolean {
  const { scopes, versions, whole, facts, collections } = record;
  const now = scopes.map((scope) => storage.version(scope));
  const moved = new Map<VersionScope, ReadonlyMap<string, ObjectChange>>();
  for (const [at, scope] of scopes.entries()) {
    if (now[at] === versions[at]) continue;
    const changes = whole.has(scope) ? undefined : storage.changesSince?.(scope, versions[at] as number);
    if (changes === undefined) return false;
    moved.set(scope, byId(changes));
  }
  if (facts.some((fact) => fact.scopes.some((scope) => moved.has(scope)))) return false;
  const touched: [ReadObject, ObjectChange][] = [];
  for (const [collection, reads] of collections) {
    const changes = moved.get(objectsScope(collection));
    if (changes === undefined) continue;
    const read = touchedBy(changes, reads);
    if (read === undefined) return false;
    touched.push(...read);
  }
  for (const [object, { version }] of touched) object.rev = version ?? object.rev;
  record.versions = now;
  return true;
}

/** All that was changed of each, by all writes. */
function byId(changes: readonly ObjectChange[]): ReadonlyMap<string, ObjectChange> {
  const found = new Map<string, ObjectChange>();
  for (const change of changes) {
    const former = found.get(change.id);
    const names = former ? former.names && change.names && new Set([...former.names, ...change.names]) : change.names;
    found.set(change.id, { ...change, names });
  }
  return found;
}

/** The objects that were read and then changed in other properties; undefined where something that was read may have changed. */
function touchedBy(
  changes: ReadonlyMap<string, ObjectChange>,
  { objects, absences, queries }: CollectionReads,
): [ReadObject, ObjectChange][] | undefined {
  const mayDecide = ({ names }: ObjectChange) =>
    queries.some(({ decidedBy }) => !names || !decidedBy?.isDisjointFrom(names));
  for (const change of changes.values()) if (mayDecide(change)) return undefined;
  if (absences.some((id) => changes.has(id))) return undefined;
  const touched: [ReadObject, ObjectChange][] = [];
  for (const object of [...objects, ...queries.flatMap((query) => query.objects)]) {
    const change = changes.get(object.id);
    if (change === undefined) continue;
    const { names } = change;
    // A draft is not there.
    if (!names || names.has("draft") || object.names.some((name) => name === "*" || names.has(name))) return undefined;
    touched.push([object, change]);
  }
  return touched;
}

/** True: nothing that was read has changed, and the record stands for the present versions. */
export async function recheck(app: App, record: PageRecord): Promise<boolean> {
  const { scopes, versions, whole } = record;
  // Before anything is read: what is written from now on moves them once more.
  const now = scopes.map((scope) => app.storage.version(scope));
  const moved = new Set(scopes.filter((_scope, at) => now[at] !== versions[at]));
  for (const scope of moved) if (whole.has(scope)) return false;
  for (const fact of record.facts) {
    if (fact.scopes.some((scope) => moved.has(scope)) && (await fact.ask()) !== fact.value) return false;
  }
  for (const [collection, reads] of record.collections) {
    if (moved.has(objectsScope(collection)) && !(await isSame(app, collection, reads))) return false;
  }
  record.versions = now;
  return true;
}

async function isSame(app: App, collection: string, reads: CollectionReads): Promise<boolean> {
  const { objects, absences, queries } = reads;
  const changed: ReadObject[] = [];
  const singles = [...objects.map(({ id }) => id), ...absences];
  const versions = singles.length > 0 ? await findVersions(app.storage, collection, [...new Set(singles)]) : undefined;
  for (const object of objects) if (versions?.get(object.id) !== object.rev) changed.push(object);
  for (const query of queries) {
    const { rows, total } = await query.ask();
    if (total !== query.total || rows.length !== query.objects.length) return false;
    for (const [at, object] of query.objects.entries()) {
      const row = rows[at] as (typeof rows)[number];
      if (row.id !== object.id) return false;
      if (row.rev !== object.rev) changed.push(object);
    }
  }
  const appeared = absences.filter((id) => versions?.has(id));
  return areSame(app, collection, { changed, appeared });
}

/** `appeared`: ids that must be those of drafts. */
async function areSame(
  app: App,
  collection: string,
  { changed, appeared }: { changed: ReadObject[]; appeared: string[] },
): Promise<boolean> {
  if (changed.length + appeared.length === 0) return true;
  const ids = new Set([...changed.map(({ id }) => id), ...appeared]);
  const rows = new Map((await findDocuments(app.storage, collection, [...ids])).map((row) => [row.id, row]));
  const isShown = (id: string) => {
    const row = rows.get(id);
    return row !== undefined && !isDraft(row);
  };
  if (appeared.some(isShown) || !changed.every(({ id }) => isShown(id))) return false;
  const { schema } = await getCollection(app, collection);
  const present = new Map([...rows.values()].map((row) => [row.id, storedDocument(app, schema, row)]));
  for (const { id, names, hash } of changed) {
    const document = present.get(id);
    if (document === undefined || hashOf(document, names) !== hash) return false;
  }
  for (const object of changed) object.rev = versionOf(rows.get(object.id) as NonNullable<ReturnType<typeof rows.get>>);
  return true;
}
