// Collects what a page reads, and condenses it when the page is done. Versions of scopes are taken before anything is read: a write
// that comes in between makes the record outdated, never the page stale.

import { perInstance } from "#base/per-instance.ts";
import { digest } from "#content/preconditions.ts";
import type { JsonObject } from "#contract/json.ts";
import type {
  CollectionReads,
  PageRecord,
  ReadObject,
  RecordedFact,
  RecordedObject,
  RecordedQuery,
  Recorder,
} from "#site/template/recorder.ts";
import type { Storage, VersionScope } from "#storage/port.ts";

/** What every page depends on. */
const everyPage: readonly VersionScope[] = ["collections", "schemas", "settings", "templates", "redirects"];
/** Above one of these, versions alone decide. */
const maxObjects = 2_000;
const maxQueries = 50;
/** A process that has seen more scopes begins again to learn them. */
const maxKnown = 1_000;

/** The whole query string, where a page does not read parameters one by one. */
export const wholeSearch = "?";

export interface Recording {
  recorder: Recorder;
  /** Once the page is rendered. */
  finish(): PageRecord;
}

/** Scopes that pages of this process have read: their versions are taken before the next page is rendered. */
const knownScopes = perInstance((_storage: Storage): Set<VersionScope> => new Set([...everyPage, "extensions"]));

export function objectsScope(collection: string): VersionScope {
  return `objects:${collection}`;
}

export function beginRecord(storage: Storage): Recording {
  const known = knownScopes(storage);
  const before = new Map<VersionScope, number>();
  for (const scope of known) before.set(scope, storage.version(scope));

  const whole = new Set<VersionScope>(everyPage);
  const objects: RecordedObject[] = [];
  const absences: { collection: string; id: string }[] = [];
  const queries: RecordedQuery[] = [];
  const facts: RecordedFact[] = [];
  const parameters = new Map<string, string | undefined>();
  const templates = new Set<string>();
  const parts: PageRecord[] = [];
  const state = { isPrivate: false, isNever: false, why: "", seconds: Number.POSITIVE_INFINITY, isTimed: false };
  const endBy = (seconds: number) => {
    state.seconds = Math.min(state.seconds, seconds);
  };

  function finish(): PageRecord {
    const read = [...objects, ...absences, ...queries].map(({ collection }) => collection);
    const touched = [...read, ...parts.flatMap((part) => [...part.collections.keys()])].map(objectsScope);
    const inParts = parts.flatMap((part) => [...part.collections.values()]);
    const asked = inParts.reduce((sum, part) => sum + part.queries.length, queries.length);
    const count =
      queries.reduce((sum, query) => sum + query.objects.length, objects.length + absences.length) +
      inParts.reduce((sum, part) => sum + countReads(part), 0);
    if (count > maxObjects || asked > maxQueries) for (const scope of touched) whole.add(scope);
    const scopes = [...new Set([...whole, ...touched, ...facts.flatMap((fact) => fact.scopes)])];
    if (known.size > maxKnown) known.clear();
    for (const scope of scopes) known.add(scope);
    const collections = condense(whole, { objects, absences, queries });
    for (const part of parts) addReads(whole, collections, part.collections);
    // What asks again may hold on to the recorder: documents must not stay in memory with it.
    objects.length = 0;
    queries.length = 0;
    return {
      ...state,
      scopes,
      // One that is read for the first time has no version from before: the page is checked at its first look-up.
      versions: scopes.map((scope) => before.get(scope) ?? Number.NaN),
      whole,
      collections,
      facts: facts.filter((fact) => !fact.scopes.every((scope) => whole.has(scope))),
      parameters: [...parameters].sort(([a], [b]) => (a < b ? -1 : 1)),
      templates,
    };
  }

  return {
    finish,
    recorder: {
      scope: (scope) => whole.add(scope),
      object: (object) => objects.push(object),
      absence: (collection, id) => absences.push({ collection, id }),
      query: (query) => queries.push(query),
      fact: (fact) => facts.push(fact),
      parameter: (name, value) => parameters.set(name, value),
      template(id) {
        templates.add(id);
        if (id.startsWith("ext/")) whole.add("extensions");
      },
      visitor() {
        state.isPrivate = true;
      },
      expires: endBy,
      timed(seconds) {
        state.isTimed = true;
        endBy(seconds);
      },
      include(part) {
        parts.push(part);
        for (const scope of part.whole) whole.add(scope);
        for (const id of part.templates) templates.add(id);
        for (const [name, value] of part.parameters) parameters.set(name, value);
        facts.push(...part.facts);
        endBy(part.seconds);
      },
      never(why) {
        state.isNever = true;
        if (why !== undefined && state.why === "") state.why = why;
      },
    },
  };
}

interface Read {
  objects: readonly RecordedObject[];
  absences: readonly { collection: string; id: string }[];
  queries: readonly RecordedQuery[];
}

/** By collection, and without documents. Of a collection that counts as a whole nothing is needed. */
function condense(whole: ReadonlySet<VersionScope>, read: Read): Map<string, CollectionReads> {
  const collections = new Map<string, CollectionReads>();
  const readsOf = (collection: string): CollectionReads | undefined => {
    if (whole.has(objectsScope(collection))) return undefined;
    const reads = collections.get(collection) ?? { objects: [], absences: [], queries: [] };
    collections.set(collection, reads);
    return reads;
  };
  for (const object of read.objects) readsOf(object.collection)?.objects.push(condenseObject(object));
  for (const { collection, id } of read.absences) readsOf(collection)?.absences.push(id);
  for (const { collection, objects, total, decidedBy, ask } of read.queries)
    readsOf(collection)?.queries.push({ objects: objects.map(condenseObject), total, decidedBy, ask });
  return collections;
}

function countReads({ objects, absences, queries }: CollectionReads): number {
  return queries.reduce((sum, query) => sum + query.objects.length, objects.length + absences.length);
}

function addReads(
  whole: ReadonlySet<VersionScope>,
  collections: Map<string, CollectionReads>,
  added: PageRecord["collections"],
): void {
  for (const [collection, { objects, absences, queries }] of added) {
    if (whole.has(objectsScope(collection))) continue;
    const known = collections.get(collection) ?? { objects: [], absences: [], queries: [] };
    collections.set(collection, {
      objects: [...known.objects, ...objects],
      absences: [...known.absences, ...absences],
      queries: [...known.queries, ...queries],
    });
  }
}

/** Documents are shared between renderings and never changed, and pages of one template read the same properties of them. */
const hashes = new WeakMap<JsonObject, Map<string, string>>();
const maxHashes = 20;

function condenseObject({ id, rev, document, properties }: RecordedObject): ReadObject {
  const names = properties.has("*") ? ["*"] : [...properties];
  const known = hashes.get(document) ?? new Map<string, string>();
  const key = names.join("\n");
  const hash = known.get(key) ?? hashOf(document, names);
  if (known.size === 0) hashes.set(document, known);
  if (known.size < maxHashes) known.set(key, hash);
  return { id, rev, names, hash };
}

/** Of the values of these properties. */
export function hashOf(document: JsonObject, names: readonly string[]): string {
  if (names.length === 0) return "";
  return digest(JSON.stringify(names[0] === "*" ? document : names.map((name) => document[name])));
}
