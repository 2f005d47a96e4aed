// The state of a table is its address; what a person has chosen for good is in their preferences.

import type { TablePreferences } from "@contract/admin.ts";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { useCallback, useMemo, useRef } from "react";
import { type Params, readState, type TableState, writeState } from "#grid/address.ts";
import { savePreferences, usePreferences } from "#session/preferences.ts";

export type ChangeState = (change: Partial<TableState>, options?: { isReplacing?: boolean }) => void;

export function useTableState(): [TableState, ChangeState, Params] {
  const params = useSearch({ strict: false }) as Params;
  const navigate = useNavigate();
  const state = useMemo(() => readState(params), [params]);
  const latest = useRef({ state, params });
  latest.current = { state, params };
  const change = useCallback<ChangeState>(
    (patch, { isReplacing = false } = {}) => {
      const { state: now, params: others } = latest.current;
      const search = writeState({ ...now, ...patch }, others);
      // Changes that follow each other before the address has changed build on one another.
      latest.current = { state: readState(search), params: search };
      void navigate({ to: ".", search, replace: isReplacing, state: { keepFocus: true } } as never);
    },
    [navigate],
  );
  return [state, change, params];
}

export function useTablePreferences(collection: string): [TablePreferences, (patch: TablePreferences) => void] {
  const { tables = {} } = usePreferences();
  const own = tables[collection] ?? {};
  const save = (patch: TablePreferences) =>
    savePreferences({ tables: { ...tables, [collection]: { ...own, ...patch } } });
  return [own, save];
}
