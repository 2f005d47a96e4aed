// The form that a field is in, and the hooks by which parts of it follow the store.

import { isJsonObject, type JsonObject } from "@contract/json.ts";
import { calculate } from "@rules/calc.ts";
import { isRuleMet } from "@rules/visibility.ts";
import { createContext, use, useCallback, useSyncExternalStore } from "react";
import type { FieldContext } from "#fields/field-kind.ts";
import type { FieldProperty } from "#fields/property.ts";
import type { FieldState, FormStore, FormSummary } from "./store.ts";
import { parentOf, pathIn, topOf, type Value, valueAt } from "./values.ts";

export interface FormScope {
  store: FormStore;
  /** Where the values of the store lie in the object: empty, or the path of an item that a dialog edits. */
  root?: string;
  field: FieldContext;
  /** Values are text beside their labels. */
  isReadOnly: boolean;
}

/** Who last changed a property, by its name. */
export type Origins = ReadonlyMap<string, string>;

/** Of the object that the form is of; undefined while nobody knows. */
export const OriginsContext = createContext<Origins | undefined>(undefined);

export const FormScopeContext = createContext<FormScope | undefined>(undefined);

export function useFormScope(): FormScope {
  const scope = use(FormScopeContext);
  if (!scope) throw new Error("a field stands outside of a form");
  return scope;
}

export function useFieldState(store: FormStore, path: string): FieldState {
  const subscribe = useCallback((listener: () => void) => store.subscribe(path, listener), [store, path]);
  return useSyncExternalStore(subscribe, () => store.field(path));
}

export function useSummary(store: FormStore): FormSummary {
  return useSyncExternalStore(store.subscribeSummary, store.summary);
}

/** The stored value alone: what is typed does not matter. */
export function useBase(store: FormStore, path: string): Value {
  const subscribe = useCallback((listener: () => void) => store.subscribe(path, listener), [store, path]);
  return useSyncExternalStore(subscribe, () => store.field(path).base);
}

/** The errors of the value at the path, and of all in it. */
export function useErrors(store: FormStore, path: string): ReadonlyMap<string, string> {
  const subscribe = useCallback((listener: () => void) => store.subscribe(path, listener), [store, path]);
  return useSyncExternalStore(subscribe, () => store.errorsIn(path));
}

const always = () => () => {};

/** The values beside the one at the path. */
function siblings(store: FormStore, path: string): JsonObject {
  const found = valueAt(store.values(), parentOf(path));
  return isJsonObject(found) ? found : {};
}

/** Whether the rule of `settings.visibility` is met; followed by the property beside it that it watches. */
export function useIsShown(store: FormStore, { visibility }: FieldProperty, path: string): boolean {
  const subscribe = useCallback(
    (listener: () => void) =>
      visibility ? store.subscribe(pathIn(parentOf(path), visibility.watch), listener) : always(),
    [store, path, visibility],
  );
  return useSyncExternalStore(subscribe, () => !visibility || isRuleMet(visibility, siblings(store, path)));
}

/** What the server will work out from the values beside it as they are typed; followed by the properties of the expression. */
export function useCalculated(store: FormStore, { settings, type }: FieldProperty, path: string, value: Value): Value {
  const source = typeof settings.calc === "string" ? settings.calc : "";
  const subscribe = useCallback(
    (listener: () => void) => {
      const names = new Set([...source.matchAll(/\$\{([^{}]*)\}/g)].map(([, name]) => topOf((name ?? "").trim())));
      const ends = [...names].map((name) => store.subscribe(pathIn(parentOf(path), name), listener));
      return () => {
        for (const end of ends) end();
      };
    },
    [store, path, source],
  );
  const result = useSyncExternalStore(subscribe, () =>
    source === "" ? undefined : calculate(source, siblings(store, path)),
  );
  if (result === undefined) return value;
  const { min, max } = settings;
  const clamped = Math.min(
    typeof max === "number" ? max : Number.POSITIVE_INFINITY,
    Math.max(typeof min === "number" ? min : Number.NEGATIVE_INFINITY, result),
  );
  return type === "integer" ? Math.round(clamped) : clamped;
}
