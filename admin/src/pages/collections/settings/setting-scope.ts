// What the tabs of a collection's settings share.

import type { AdminCollection } from "@contract/admin.ts";
import type { SchemaRecord } from "@contract/schemas.ts";
import { createContext, use } from "react";
import type { FieldProperty } from "#fields/property.ts";

interface Settings {
  collection: AdminCollection;
  /** Of the objects, without overrides. */
  schema: SchemaRecord;
  fields: Readonly<Record<string, FieldProperty>>;
  /** JSON as it is typed, by path. */
  texts: Readonly<Record<string, string>>;
  onText: (path: string, text: string) => void;
}

export const SettingsContext = createContext<Settings | undefined>(undefined);

export function useSettings(): Settings {
  const settings = use(SettingsContext);
  if (!settings) throw new Error("a setting stands outside of its form");
  return settings;
}
