// The schema that is being edited: the record as it will be saved, what it gets from its parents, and every change of it, which
// Undo takes back until it is saved.

import type { Json, JsonObject } from "@contract/json.ts";
import type { PropertyDefinition, SchemaRecord } from "@contract/schemas.ts";
import { inherit } from "@rules/inherit.ts";
import { itemSchemaId, resolveType } from "@rules/property-types.ts";
import { createContext, use, useSyncExternalStore } from "react";
import { createFormStore, type FormStore } from "#form/store.ts";
import { difference, partsOf, recordOf } from "./parts.ts";

export interface SchemaDraft {
  /** As it will be saved: own properties only. */
  record: SchemaRecord;
  /** With the properties of its parents, as a form is drawn from it. */
  flat: SchemaRecord;
  /** Flat schemas of cards and decks, by id: `itemSchema` of a definition names one. */
  items: Readonly<Record<string, SchemaRecord>>;
}

export interface DraftStore {
  /** The parts of the record, for the state line, kept changes and the leave guard. */
  form: FormStore;
  /** The same until something of it changes. */
  record(): SchemaRecord;
  subscribe(listener: () => void): () => void;
  /** Changes that follow each other under the same name, as typing does, are one step of Undo. */
  change(name: string, edit: (record: SchemaRecord) => SchemaRecord): void;
  /** Takes the last change back; answers its name. */
  undo(): string | undefined;
  canUndo(): boolean;
  /** All is saved, or given up: there is nothing to take back any more. */
  forgetSteps(): void;
}

interface Step {
  name: string;
  values: JsonObject;
}

const maxSteps = 100;

export function createDraft(stored: JsonObject): DraftStore {
  const form = createFormStore(partsOf(stored));
  let steps: Step[] = [];
  let known: { values: JsonObject; record: SchemaRecord } | undefined;
  const listeners = new Set<() => void>();
  const tell = () => {
    for (const listener of listeners) listener();
  };
  form.subscribeValues(tell);
  const go = (to: JsonObject) => form.lay(difference(form.values(), to));
  return {
    form,
    record() {
      const values = form.values();
      if (known?.values !== values) known = { values, record: recordOf(values) };
      return known.record;
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    change(name, edit) {
      const values = form.values();
      const next = partsOf(edit(this.record()) as unknown as JsonObject);
      if (Object.keys(difference(values, next)).length === 0) return;
      if (steps.at(-1)?.name !== name) steps = [...steps, { name, values }].slice(-maxSteps);
      go(next);
    },
    undo() {
      const step = steps.at(-1);
      if (!step) return undefined;
      steps = steps.slice(0, -1);
      go(step.values);
      return step.name;
    },
    canUndo: () => steps.length > 0,
    forgetSteps() {
      steps = [];
      tell();
    },
  };
}

export const DraftContext = createContext<DraftStore | undefined>(undefined);

export function useDraftStore(): DraftStore {
  const store = use(DraftContext);
  if (!store) throw new Error("a part of the schema editor stands outside of it");
  return store;
}

/** The record of the editor that it is used in; it renders again with every change. */
export function useDraft(): SchemaRecord {
  const store = useDraftStore();
  return useSyncExternalStore(store.subscribe, () => store.record());
}

/** As a form sees it. `find` knows parents as they are written. */
export function flatten(record: SchemaRecord, find: (id: string) => SchemaRecord | undefined): SchemaRecord {
  const whole = inherit(record, find);
  const { id, ...others } = whole.properties;
  const properties = Object.entries({ ...(id && { id }), ...others });
  return { ...whole, properties: Object.fromEntries(properties.map(([name, one]) => [name, formDefinition(one)])) };
}

/** With its type, and with the name of the schema that shapes a card or deck. */
export function formDefinition(definition: PropertyDefinition): PropertyDefinition {
  const item = itemSchemaId(definition);
  const { $ref: _, ...others } = definition;
  return {
    ...others,
    type: resolveType(definition),
    settings: definition.settings ?? {},
    ...(item !== undefined && { itemSchema: item as Json }),
  };
}
