// Where the options of a field come from: the schema itself, values of the collection, other objects, or lists of the site.

import type { Option, OptionSource } from "@contract/admin.ts";
import { isJsonObject, type Json, type JsonObject } from "@contract/json.ts";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { askData } from "#api/client.ts";
import { routes } from "#api/routes.ts";
import type { SelectOption } from "#ui/Select.tsx";
import type { FieldContext } from "./field-kind.ts";
import type { FieldProperty } from "./property.ts";

export interface FieldOption extends SelectOption {
  /** As it is stored, where that is no text. */
  json?: Json;
}

export interface FieldOptions {
  options: readonly FieldOption[];
  isLoading: boolean;
  /** The chosen value names an object that is no longer there. */
  isGone: boolean;
  /** Where the server finds the options. */
  onSearch: ((text: string) => void) | undefined;
}

const searchDelay = 200;
const maxOptions = 50;

/** `chosen`: the value now; its label is asked for where only the server knows it. */
export function useFieldOptions(
  property: FieldProperty,
  { collection }: Pick<FieldContext, "collection">,
  chosen: string,
): FieldOptions {
  const relation = relationOf(property);
  const source = relation ? undefined : sourceOf(property, collection);
  // Nothing is asked for before the list is opened.
  const [search, setSearch] = useState<string>();
  const asked = useSettled(search, searchDelay);

  const found = useQuery({
    queryKey: ["options", relation ?? source, asked],
    queryFn: ({ signal }) =>
      relation
        ? findRelated(relation, { search: asked ?? "" }, signal)
        : askOptions(source as Source, asked ?? "", signal),
    enabled: asked !== undefined && (relation !== undefined || source !== undefined),
    placeholderData: keepPreviousData,
  });
  const known = useQuery({
    queryKey: ["options", relation, "one", chosen],
    queryFn: ({ signal }) => findRelated(relation as Relation, { [`filter[${relation?.value}]`]: chosen }, signal),
    enabled: relation !== undefined && chosen !== "",
  });

  const fixed = fixedOptions(property);
  const options = merged(fixed, found.data ?? [], known.data ?? []);
  return {
    options: property.settings.sortOptions === true ? sorted(options) : options,
    isLoading: found.isFetching || (search ?? "") !== (asked ?? ""),
    isGone: relation !== undefined && known.data?.length === 0 && !fixed.some(({ value }) => value === chosen),
    onSearch: relation || source ? setSearch : undefined,
  };
}

/** `options` of a schema: texts, `{label, value}`, or groups of these by name; else the values of `enum`. */
export function fixedOptions({ definition }: Pick<FieldProperty, "definition">): FieldOption[] {
  const { options, enum: values } = definition;
  if (isJsonObject(options))
    return Object.entries(options).flatMap(([group, inside]) =>
      Array.isArray(inside)
        ? inside.flatMap((one) => optionOf(one, group))
        : optionOf({ value: group, label: typeof inside === "string" ? inside : group }),
    );
  return (Array.isArray(options) ? options : (values ?? [])).flatMap((one) => optionOf(one));
}

function optionOf(one: Json, group?: string): FieldOption[] {
  const more = group === undefined ? {} : { group };
  if (isJsonObject(one)) {
    const { value, label } = one;
    if (typeof value === "object" || value === undefined) {
      // A group among other options.
      const inside = Object.values(one).find(Array.isArray);
      const name = typeof label === "string" ? label : (group ?? "");
      return inside ? inside.flatMap((entry) => optionOf(entry, name)) : [];
    }
    const text = String(value);
    return [{ value: text, label: typeof label === "string" && label !== "" ? label : text, json: value, ...more }];
  }
  if (one === null || Array.isArray(one)) return [];
  return [{ value: String(one), label: String(one), json: one, ...more }];
}

/** Each value once. */
function merged(...lists: (readonly FieldOption[])[]): FieldOption[] {
  const byValue = new Map<string, FieldOption>();
  for (const option of lists.flat()) if (!byValue.has(option.value)) byValue.set(option.value, option);
  return [...byValue.values()];
}

function sorted(options: readonly FieldOption[]): FieldOption[] {
  return [...options].sort((a, b) => a.label.localeCompare(b.label));
}

interface Source {
  source: OptionSource;
  collection?: string;
  property?: string;
}

const namedSources: Record<string, OptionSource> = {
  collections: "collections",
  collectionIds: "collections",
  schemas: "schemas",
  viewIds: "views",
  locales: "locales",
  layouts: "templates",
  pages: "templates",
};

function sourceOf({ name, settings }: FieldProperty, collection: string): Source | undefined {
  if (settings.accessGroupOptions) return { source: "groups" };
  if (settings.timezoneOptions) return { source: "timezones" };
  const { propertyOptions } = settings;
  if (propertyOptions === true) return { source: "values", collection, property: name };
  const source = typeof propertyOptions === "string" ? namedSources[propertyOptions] : undefined;
  return source && { source };
}

async function askOptions({ source, ...query }: Source, search: string, signal: AbortSignal): Promise<FieldOption[]> {
  const wanted = { ...query, limit: maxOptions, ...(search !== "" && { search }) };
  const found = await askData<Option[]>(routes.options, { path: { source }, query: wanted, signal });
  return found.map(({ value, label, count }) => ({
    value,
    label,
    ...(count !== undefined && { detail: String(count) }),
  }));
}

interface Relation {
  collection: string;
  value: string;
  label: string;
  format: string;
}

function relationOf({ settings }: FieldProperty): Relation | undefined {
  const { relationalOptions } = settings;
  if (!isJsonObject(relationalOptions) || typeof relationalOptions.collection !== "string") return undefined;
  const { collection, value, label, format } = relationalOptions;
  const text = (one: Json | undefined) => (typeof one === "string" ? one : "");
  return { collection, value: text(value) || "id", label: text(label), format: text(format) };
}

async function findRelated(
  relation: Relation,
  query: Record<string, string>,
  signal: AbortSignal,
): Promise<FieldOption[]> {
  const given = Object.fromEntries(Object.entries(query).filter(([, value]) => value !== ""));
  const found = await askData<JsonObject[]>(routes.query, {
    path: { collection: relation.collection },
    query: { ...given, limit: maxOptions },
    signal,
  });
  return found.map((object) => ({
    value: String(object[relation.value] ?? ""),
    label: labelOf(relation, object),
    detail: String(object.id ?? ""),
  }));
}

const titles = ["title", "name", "label", "subject", "email", "id"];

function labelOf({ format, label }: Relation, object: JsonObject): string {
  if (format !== "") return format.replace(/\$\{([^{}]*)\}/g, (_, name: string) => String(object[name.trim()] ?? ""));
  const name = [label, ...titles].find((one) => typeof object[one] === "string" && object[one] !== "");
  return String(object[name ?? "id"] ?? "");
}

/** The value once it has not changed for some time; the first one at once. */
function useSettled<T>(value: T, delay: number): T {
  const [settled, setSettled] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), settled === undefined ? 0 : delay);
    return () => clearTimeout(timer);
  }, [value, delay, settled]);
  return settled;
}
