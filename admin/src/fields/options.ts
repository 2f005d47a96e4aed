// Where the options of a field come from: the schema itself, values of the collection, other objects, or lists of the site.

import type { AdminExtensions, Option, OptionSource } from "@contract/admin.ts";
import { isJsonObject, type Json, type JsonObject } from "@contract/json.ts";
import { relationTarget } from "@rules/relations.ts";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { askData } from "#api/client.ts";
import { routes } from "#api/routes.ts";
import { useStart } from "#session/start.ts";
import type { SelectOption } from "#ui/combobox.tsx";
import type { FieldContext } from "./field-kind.ts";
import type { FieldProperty } from "./property.ts";

export interface FieldOption extends SelectOption {
  /** As it is stored, where that is no text. */
  json?: Json;
  /** Page of the object that it stands for. */
  href?: string;
}

export interface FieldOptions {
  options: readonly FieldOption[];
  isLoading: boolean;
  /** Whether the value names an object that is no longer there. */
  isGone: (value: string) => boolean;
  /** Where the server finds the options. */
  onSearch: ((text: string) => void) | undefined;
  /** The values stand for other objects, or for rows of a data view. */
  isRelation: boolean;
}

export interface Wanted {
  /** The values now; their labels are asked for where only the server knows them. */
  chosen: readonly string[];
  /** All options are in view, so they are asked for at once. */
  isShown?: boolean;
}

const searchDelay = 200;
const maxOptions = 50;

export function useFieldOptions(
  property: FieldProperty,
  { collection }: Pick<FieldContext, "collection">,
  { chosen, isShown = false }: Wanted,
): FieldOptions {
  const relation = relationOf(property);
  const source = relation ? undefined : sourceOf(property, collection);
  // Nothing is asked for before the list is opened.
  const [search, setSearch] = useState(isShown ? "" : undefined);
  const asked = useSettled(search, searchDelay);

  const found = useQuery({
    queryKey: ["options", relation ?? source, asked],
    queryFn: ({ signal }) =>
      relation
        ? findRelated(relation, { ...relation.among, search: asked ?? "" }, signal)
        : askOptions(source as Source, asked ?? "", signal),
    enabled: asked !== undefined && (relation !== undefined || source !== undefined),
    placeholderData: keepPreviousData,
  });
  const steps = useStart().extensions.pageSteps;
  const fixed = [
    ...fixedOptions(property),
    ...(property.settings.propertyOptions === "pageMiddleware" ? stepOptions(steps) : []),
  ];
  const known = useKnown(relation, chosen, [...fixed, ...(found.data ?? [])]);
  const options = merged(fixed, found.data ?? [], known.options);
  return {
    options: property.settings.sortOptions === true ? sorted(options) : options,
    isLoading: found.isFetching || (search ?? "") !== (asked ?? ""),
    isGone: known.isGone,
    onSearch: relation || source ? setSearch : undefined,
    isRelation: relation !== undefined,
  };
}

/** What each value of a relation stands for; null where it is gone. A value that was seen once is not asked for again. */
function useKnown(relation: Relation | undefined, chosen: readonly string[], seen: readonly FieldOption[]) {
  const [memory] = useState(() => new Map<string, FieldOption | null>());
  for (const option of seen) memory.set(option.value, option);
  const unknown = relation ? chosen.filter((value) => value !== "" && !memory.has(value)) : [];
  const { data } = useQuery({
    queryKey: ["options", relation, "known", unknown],
    queryFn: async ({ signal }) => ({
      asked: unknown,
      found: await findValues(relation as Relation, unknown, signal),
    }),
    enabled: unknown.length > 0,
  });
  for (const value of data?.asked ?? []) {
    if (!memory.has(value)) memory.set(value, data?.found.find((option) => option.value === value) ?? null);
  }
  return {
    options: chosen.flatMap((value) => memory.get(value) ?? []),
    isGone: (value: string) => memory.get(value) === null,
  };
}

/** Steps of extensions, as pages name them. */
function stepOptions(steps: AdminExtensions["pageSteps"]): FieldOption[] {
  return steps.map(({ extension, extensionName, name, title }) => ({
    value: `${extension}:${name}`,
    label: title,
    detail: extensionName,
  }));
}

/** As the option has it: numbers stay numbers. */
export function jsonOf(value: string, options: readonly FieldOption[]): Json {
  return options.find((option) => option.value === value)?.json ?? value;
}

/** The words for a value of the schema's own options. */
export function labelIn(property: Pick<FieldProperty, "definition">, value: string): string {
  return fixedOptions(property).find((option) => option.value === value)?.label ?? value;
}

/** `fieldGrid` or `fieldColumns`: how many columns, or how wide each is at least. */
export function columnsOf({ settings }: FieldProperty): number | string | undefined {
  for (const given of [settings.fieldGrid, settings.fieldColumns]) {
    const count = Number(given);
    if (count >= 1 && count <= 12) return Math.floor(count);
    if (count > 12) return `${count}px`;
    if (typeof given === "string" && /^\d+(\.\d+)?(px|rem|em|ch|%)$/.test(given.trim())) return given.trim();
  }
  return undefined;
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
  /** Empty where the options are rows of a data view. */
  collection: string;
  view?: string;
  value: string;
  label: string;
  format: string;
  /** Which objects are offered, and in which order. */
  among: Record<string, string>;
}

function relationOf({ settings, definition }: FieldProperty): Relation | undefined {
  const { relationalOptions } = settings;
  const text = (one: Json | undefined) => (typeof one === "string" ? one : "");
  if (!isJsonObject(relationalOptions) || !(text(relationalOptions.collection) || text(relationalOptions.view))) {
    const collection = relationTarget(definition);
    const isWritten = definition.options !== undefined || definition.enum !== undefined;
    const among = { include: "", exclude: "", sort: "" };
    return collection === undefined || isWritten
      ? undefined
      : { collection, value: "id", label: "", format: "", among };
  }
  const { collection, view, value, label, format, include, exclude, sort } = relationalOptions;
  const among = { include: text(include), exclude: text(exclude), sort: text(sort) };
  const shown = { value: text(value) || "id", label: text(label), format: text(format), among };
  return text(collection) ? { collection: text(collection), ...shown } : { collection: "", view: text(view), ...shown };
}

async function findRelated(
  relation: Relation,
  query: Record<string, string>,
  signal: AbortSignal,
): Promise<FieldOption[]> {
  const given = Object.fromEntries(Object.entries(query).filter(([, value]) => value !== ""));
  const asked = { query: { ...given, limit: maxOptions }, signal };
  if (relation.view !== undefined) {
    const rows = await askData<JsonObject[]>(routes.queryDataView, { path: { id: relation.view }, ...asked });
    return rows.map((row) => {
      const value = String(row[relation.value] ?? "");
      return { value, label: labelOf(relation, row) || value, json: row[relation.value] ?? value };
    });
  }
  const found = await askData<JsonObject[]>(routes.query, { path: { collection: relation.collection }, ...asked });
  return found.map((object) => {
    const id = String(object.id ?? "");
    const href = `/admin/collections/${encodeURIComponent(relation.collection)}/${encodeURIComponent(id)}`;
    return { value: String(object[relation.value] ?? ""), label: labelOf(relation, object), detail: id, href };
  });
}

/** So many fit into one request. */
const maxAsked = 20;

async function findValues(relation: Relation, values: readonly string[], signal: AbortSignal): Promise<FieldOption[]> {
  const found: FieldOption[] = [];
  for (let at = 0; at < values.length; at += maxAsked) {
    const query = { [`filter[${relation.value}][in]`]: values.slice(at, at + maxAsked).join("|") };
    found.push(...(await findRelated(relation, query, signal)));
  }
  return found;
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
