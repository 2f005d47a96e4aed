// Where the objects of a collection have their pages. Those of features (users, mails) have pages of their own around the same
// form: such a page provides ObjectPagesContext.

import type { AdminCollection } from "@contract/admin.ts";
import type { JsonObject } from "@contract/json.ts";
import { type ComponentType, createContext, type ReactNode, use, useMemo } from "react";
import type { FieldProperty } from "#fields/property.ts";
import type { Target } from "#shell/links.tsx";
import type { Crumb } from "#shell/Page.tsx";
import { useWords } from "#words/language.ts";
import { shellWords } from "#words/shell.ts";

/** A stored object, as the page around its form sees it. */
export interface ShownObject {
  id: string;
  title: string;
  /** As it is stored. */
  stored: JsonObject;
}

/** What stands in place of the tabs Form, JSON and Versions. It reads what is typed by useFormScope. */
export interface OwnViewsProps {
  properties: readonly FieldProperty[];
  /** undefined: it is new. */
  object: ShownObject | undefined;
  /** As the address names it; empty where it names none. */
  tab: string;
  onSelect: (tab: string) => void;
}

export interface ObjectPages {
  /** Where Back, Close and a deletion lead. */
  table: Target;
  tableName: string;
  newObject: Target;
  object: (id: string) => Target;
  breadcrumbs: Crumb[];
  newTitle: string;
  /** What a new object begins with beside the defaults of its schema. */
  fresh?: JsonObject;
  /** Properties that the page shows in another place than the form. */
  hides?: readonly string[];
  /** Of the table, while nobody has chosen others. */
  columns?: string[];
  /** Over the form; of a stored object. */
  above?: (object: ShownObject) => ReactNode;
  /** Beside Save; of a stored object. */
  actions?: (object: ShownObject) => ReactNode;
  /** Under the form; of a stored object. */
  below?: (object: ShownObject) => ReactNode;
  /** Under the form, of new objects too. It reads what is typed by useFormScope. */
  tools?: ReactNode;
  /** Tabs of its own, as wide as the page and without the panel at the side. */
  Views?: ComponentType<OwnViewsProps>;
  /** The tab of Views that shows a property. */
  tabOf?: (path: string) => string;
}

export const ObjectPagesContext = createContext<ObjectPages | undefined>(undefined);

export function useObjectPages({ id, name, singleton, labelSingular }: AdminCollection): ObjectPages {
  const words = useWords(shellWords);
  const own = use(ObjectPagesContext);
  return useMemo(() => {
    if (own) return own;
    const params = { collection: id };
    const table: Target = { to: "/admin/collections/$collection", params };
    const all: Target = { to: "/admin/collections" };
    return {
      // Singletons have no table.
      table: singleton ? all : table,
      tableName: name,
      newObject: { to: "/admin/collections/$collection/-new", params },
      object: (object) => ({ to: "/admin/collections/$collection/$id", params: { ...params, id: object } }),
      breadcrumbs: [{ label: words.content, ...all }, ...(singleton ? [] : [{ label: name, ...table }])],
      newTitle: words.newOf(labelSingular || words.object),
    };
  }, [own, words, id, name, singleton, labelSingular]);
}
