// What a form holds: the object as stored, the values as typed, which fields were left, what is wrong. Each field has a
// subscription of its own, so that a key press renders one field, the state line and the fields that watch it.

import { isJsonObject, type JsonObject } from "@contract/json.ts";
import { isBlank, isSame, parentOf, topOf, type Value, valueAt, withItem, withValue } from "./values.ts";

export interface FieldState {
  readonly value: Value;
  /** As stored. */
  readonly base: Value;
  readonly error: string | undefined;
  readonly isDirty: boolean;
}

export interface FormSummary {
  /** Changed top-level properties, in the order of their first change. */
  readonly dirty: readonly string[];
  /** By dotted path, in the order in which they were found. */
  readonly errors: ReadonlyMap<string, string>;
}

/** What is wrong with a property, in words. */
export type Check = (path: string, values: JsonObject) => string | undefined;

type Listener = () => void;

export interface FormStore {
  /** The same object until something of it changes. */
  field(path: string): FieldState;
  summary(): FormSummary;
  /** Those of the value at the path and of all in it, by their place in it; the same object until one of them changes. */
  errorsIn(path: string): ReadonlyMap<string, string>;
  /** Called when the value, the stored value or the error at the path, above or below it changes. */
  subscribe(path: string, listener: Listener): () => void;
  subscribeSummary(listener: Listener): () => void;
  /** Called after every change of a value. */
  subscribeValues(listener: Listener): () => void;
  values(): JsonObject;
  base(): JsonObject;
  /** The changed top-level properties; those that were removed are null. */
  changes(): JsonObject;
  /** As `changes`, with the drafts laid over the values. */
  changesWithDrafts(): JsonObject;
  /** The values with the drafts laid over them. */
  valuesWithDrafts(): JsonObject;
  /** What a dialog holds of the item at the path until it is applied: no value of the form, but kept with it. */
  setDraft(path: string, item: JsonObject | undefined): void;
  set(path: string, value: Value): void;
  /** Takes these values over those that are there: kept changes, an edited JSON text. */
  lay(values: { [property: string]: Value }): void;
  /** A field was left: it is checked from now on. */
  touch(path: string): void;
  /** The value at the path is again as it is stored. */
  undo(path: string): void;
  discard(): void;
  /** Replaces all errors. */
  setErrors(errors: ReadonlyMap<string, string>): void;
  /**
   * The object is stored differently now. Changes stay; those that were `sent` are no longer changes, unless they were
   * changed again since.
   */
  rebase(base: JsonObject, sent?: JsonObject): void;
}

export function createFormStore(initial: JsonObject, check: Check = () => undefined): FormStore {
  let base = initial;
  let values = initial;
  let errors: ReadonlyMap<string, string> = new Map();
  let dirty: readonly string[] = [];
  let summary: FormSummary = { dirty, errors };
  const touched = new Set<string>();
  const states = new Map<string, FieldState>();
  const errorLists = new Map<string, ReadonlyMap<string, string>>();
  /** By top-level property. */
  const listeners = new Map<string, Set<{ path: string; listener: Listener }>>();
  const drafts = new Map<string, JsonObject>();
  const summaryListeners = new Set<Listener>();
  const valueListeners = new Set<Listener>();

  function read(path: string): FieldState {
    const value = valueAt(values, path);
    const stored = valueAt(base, path);
    return { value, base: stored, error: errors.get(path), isDirty: !isSame(value, stored) };
  }

  function tell(path: string): void {
    for (const { path: other, listener } of listeners.get(topOf(path)) ?? []) if (isRelated(path, other)) listener();
  }

  function changeErrors(change: (errors: Map<string, string>) => void): void {
    const next = new Map(errors);
    change(next);
    if (next.size === errors.size && [...next].every(([path, text]) => errors.get(path) === text)) return;
    const paths = new Set([...errors.keys(), ...next.keys()]);
    const before = errors;
    errors = next;
    for (const path of paths) if (before.get(path) !== next.get(path)) tell(path);
    updateSummary();
  }

  function updateDirty(properties: Iterable<string>): void {
    const next = dirty.filter((name) => !isSame(values[name], base[name]));
    for (const name of properties) if (!next.includes(name) && !isSame(values[name], base[name])) next.push(name);
    if (next.length === dirty.length && next.every((name, at) => name === dirty[at])) return;
    dirty = next;
    updateSummary();
  }

  function updateSummary(): void {
    summary = { dirty, errors };
    for (const listener of summaryListeners) listener();
  }

  /** After a change of a value: what was wrong may be right, and what is being typed is judged once the field was left. */
  function recheck(path: string, before: JsonObject): void {
    const isWatched = touched.has(path) || errors.has(path);
    changeErrors((next) => {
      for (const other of next.keys())
        if (isRelated(path, other) && !isUntouched(before, values, path, other)) next.delete(other);
      const problem = isWatched ? check(path, values) : undefined;
      if (problem !== undefined) next.set(path, problem);
    });
  }

  /** A card that was not there and is empty again is no change. */
  function withoutEmpty(path: string): void {
    for (let parent = parentOf(path); parent !== ""; parent = parentOf(parent)) {
      const value = valueAt(values, parent);
      const isItem = Array.isArray(valueAt(values, parentOf(parent)));
      const isEmpty = isJsonObject(value) && !isItem && Object.values(value).every(isBlank);
      if (!isEmpty || !isBlank(valueAt(base, parent))) return;
      values = withValue(values, parent, undefined);
    }
  }

  function valuesChanged(): void {
    for (const listener of valueListeners) listener();
  }

  const store: FormStore = {
    field(path) {
      const known = states.get(path);
      const now = read(path);
      const isKnown =
        known &&
        known.value === now.value &&
        known.base === now.base &&
        known.error === now.error &&
        known.isDirty === now.isDirty;
      if (isKnown) return known;
      states.set(path, now);
      return now;
    },
    summary: () => summary,
    errorsIn(path) {
      const found = new Map<string, string>();
      for (const [other, text] of errors) {
        if (other === path) found.set("", text);
        else if (path === "") found.set(other, text);
        else if (other.startsWith(`${path}.`)) found.set(other.slice(path.length + 1), text);
      }
      const known = errorLists.get(path);
      if (known?.size === found.size && [...found].every(([at, text]) => known.get(at) === text)) return known;
      errorLists.set(path, found);
      return found;
    },
    subscribe(path, listener) {
      const top = topOf(path);
      const all = listeners.get(top) ?? new Set();
      listeners.set(top, all);
      const entry = { path, listener };
      all.add(entry);
      return () => void all.delete(entry);
    },
    subscribeSummary: (listener) => subscribeTo(summaryListeners, listener),
    subscribeValues: (listener) => subscribeTo(valueListeners, listener),
    values: () => values,
    base: () => base,
    changes: () => Object.fromEntries(dirty.map((name) => [name, values[name] ?? null])),
    changesWithDrafts() {
      const laid = store.valuesWithDrafts();
      const names = new Set([...dirty, ...[...drafts.keys()].map(topOf)]);
      return Object.fromEntries([...names].map((name) => [name, laid[name] ?? null]));
    },
    valuesWithDrafts: () => [...drafts].reduce((laid, [path, item]) => withItem(laid, path, item), values),
    setDraft(path, item) {
      if (item === undefined && !drafts.delete(path)) return;
      if (item !== undefined) drafts.set(path, item);
      valuesChanged();
    },
    set(path, value) {
      if (Object.is(valueAt(values, path), value)) return;
      const before = values;
      values = withValue(values, path, value);
      withoutEmpty(path);
      updateDirty([topOf(path)]);
      recheck(path, before);
      tell(path);
      valuesChanged();
    },
    lay(changes) {
      const before = values;
      for (const [name, value] of Object.entries(changes)) values = withValue(values, name, value ?? undefined);
      updateDirty(Object.keys(changes));
      for (const name of Object.keys(changes)) {
        recheck(name, before);
        tell(name);
      }
      valuesChanged();
    },
    touch(path) {
      touched.add(path);
      const problem = check(path, values);
      // A refusal of the server stays until the value changes.
      if (problem !== undefined) changeErrors((next) => next.set(path, problem));
    },
    undo(path) {
      touched.delete(path);
      store.set(path, valueAt(base, path));
    },
    discard() {
      touched.clear();
      const names = [...dirty];
      values = base;
      updateDirty([]);
      changeErrors((next) => next.clear());
      for (const name of names) tell(name);
      valuesChanged();
    },
    setErrors(found) {
      changeErrors((next) => {
        next.clear();
        for (const [path, text] of found) next.set(path, text);
      });
    },
    rebase(stored, sent = {}) {
      const mine = dirty.filter((name) => !(Object.hasOwn(sent, name) && isSame(values[name], sent[name])));
      let next = stored;
      for (const name of mine) next = withValue(next, name, values[name]);
      const names = new Set([...Object.keys(base), ...Object.keys(stored), ...Object.keys(values)]);
      base = stored;
      values = next;
      updateDirty(mine);
      for (const name of names) tell(name);
      valuesChanged();
    },
  };
  return store;
}

function subscribeTo(all: Set<Listener>, listener: Listener): () => void {
  all.add(listener);
  return () => void all.delete(listener);
}

/** One is the other, or lies in it. */
function isRelated(a: string, b: string): boolean {
  return a === b || a.startsWith(`${b}.`) || b.startsWith(`${a}.`);
}

/** Whether `inner` lies in an item of the deck at `path` that is the same as before. Items are compared by their ids. */
function isUntouched(before: JsonObject, after: JsonObject, path: string, inner: string): boolean {
  if (!Array.isArray(valueAt(after, path)) || !inner.startsWith(`${path}.`)) return false;
  const [key] = inner.slice(path.length + 1).split(".");
  const item = valueAt(after, `${path}.${key}`);
  return isJsonObject(item) && item.id === key && isSame(item, valueAt(before, `${path}.${key}`));
}
