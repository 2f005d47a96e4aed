// The form that a field is in, and the hooks by which parts of it follow the store.

import { calculate } from "@rules/calc.ts";
import { isRuleMet } from "@rules/visibility.ts";
import { createContext, use, useCallback, useSyncExternalStore } from "react";
import type { FieldContext } from "#fields/field-kind.ts";
import type { FieldProperty } from "#fields/property.ts";
import type { FieldState, FormStore, FormSummary } from "./store.ts";
import { topOf, type Value } from "./values.ts";

export interface FormScope {
  store: FormStore;
  field: FieldContext;
  /** Values are text beside their labels. */
  isReadOnly: boolean;
}

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

/** The first error of the value at the path, or of anything in it. */
export function useInnerError(store: FormStore, path: string): string | undefined {
  const subscribe = useCallback((listener: () => void) => store.subscribe(path, listener), [store, path]);
  return useSyncExternalStore(subscribe, () => {
    for (const [found, text] of store.summary().errors) if (found === path || found.startsWith(`${path}.`)) return text;
    return undefined;
  });
}

const always = () => () => {};

/** Whether the rule of `settings.visibility` is met; followed by the property that it watches. */
export function useIsShown(store: FormStore, { visibility }: FieldProperty): boolean {
  const subscribe = useCallback(
    (listener: () => void) => (visibility ? store.subscribe(visibility.watch, listener) : always()),
    [store, visibility],
  );
  return useSyncExternalStore(subscribe, () => !visibility || isRuleMet(visibility, store.values()));
}

/** What the server will work out from the values as they are typed; followed by the properties of the expression. */
export function useCalculated(store: FormStore, { settings, type }: FieldProperty, value: Value): Value {
  const source = typeof settings.calc === "string" ? settings.calc : "";
  const subscribe = useCallback(
    (listener: () => void) => {
      const names = new Set([...source.matchAll(/\$\{([^{}]*)\}/g)].map(([, path]) => topOf((path ?? "").trim())));
      const ends = [...names].map((name) => store.subscribe(name, listener));
      return () => {
        for (const end of ends) end();
      };
    },
    [store, source],
  );
  const result = useSyncExternalStore(subscribe, () => (source === "" ? undefined : calculate(source, store.values())));
  if (result === undefined) return value;
  const { min, max } = settings;
  const clamped = Math.min(
    typeof max === "number" ? max : Number.POSITIVE_INFINITY,
    Math.max(typeof min === "number" ? min : Number.NEGATIVE_INFINITY, result),
  );
  return type === "integer" ? Math.round(clamped) : clamped;
}
