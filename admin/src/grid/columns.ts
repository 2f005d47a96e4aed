// The columns of a collection's table: what is offered, what is shown at first, how wide, and which route answers them. Pure.

import type { FormDescription, TablePreferences } from "@contract/admin.ts";
import type { JsonObject } from "@contract/json.ts";
import type { PropertyDefinition, PropertyType } from "@contract/schemas.ts";
import { resolveType } from "@rules/property-types.ts";

export interface Column {
  property: string;
  label: string;
  type: PropertyType;
  /** How it is edited: styledtext, price, datetime, ... */
  field: string;
  definition: PropertyDefinition;
  /** Answered from the index; others make the server read whole objects. */
  isIndexed: boolean;
}

/** Labels of what every object has, whether its schema names it or not. */
export interface OwnLabels {
  id: string;
  created: string;
  modified: string;
}

/** An object as a row: the shown properties, or all of them. */
export type Row = JsonObject & { id: string };

const shownAtFirst = 6;
/** Long texts and structures are not shown unless asked for. */
const long: ReadonlySet<PropertyType> = new Set([
  ...([
    "card",
    "code",
    "deck",
    "depot",
    "file",
    "gallery",
    "json",
    "localizedtext",
    "object",
    "password",
    "rating",
    "svg",
  ] as const),
]);
const longFields = new Set(["styledtext", "textarea", "hidden", "code"]);

/** Indexed ones first, in the order of the index. */
export function offeredColumns({ schema }: Pick<FormDescription, "schema">, labels: OwnLabels): Column[] {
  const { properties, index } = schema;
  const own: Record<string, PropertyDefinition> = {
    id: { type: "slug", label: labels.id },
    created: { type: "date", field: "datetime", label: labels.created },
    modified: { type: "date", field: "datetime", label: labels.modified },
  };
  const indexed = [...new Set([...index, "id", "created", "modified"])].filter(
    (name) => Object.hasOwn(properties, name) || Object.hasOwn(own, name),
  );
  const others = Object.keys(properties).filter((name) => !indexed.includes(name));
  return [...indexed, ...others].map((property) => {
    const definition = { ...own[property], ...properties[property] };
    const isIndexed = indexed.includes(property);
    const { label = property, field = "" } = definition;
    return { property, label: label || property, type: resolveType(definition), field, definition, isIndexed };
  });
}

/** The image, the title, the first short properties, and when it was changed. The draft is a mark beside the title. */
export function firstColumns(columns: readonly Column[], titleProperty: string): string[] {
  const isShort = ({ type, field }: Column) => !long.has(type) && !longFields.has(field);
  const own = new Set(["id", "created", "modified", "updated", "draft", titleProperty]);
  const short = columns.filter((column) => column.isIndexed && isShort(column) && !own.has(column.property));
  const image = short.find(({ type }) => type === "image");
  const rest = short.filter((column) => column.type !== "image");
  const names = [...(image ? [image.property] : []), titleProperty, ...rest.map(({ property }) => property)];
  return [...names.slice(0, shownAtFirst), "modified"];
}

/**
 * What is chosen in the address, else what this person has kept, else the usual. Names that are gone are left out; the title,
 * which names the rows, is always there.
 */
export function shownColumns(
  columns: readonly Column[],
  chosen: readonly (readonly string[] | undefined)[],
  titleProperty: string,
): Column[] {
  for (const names of [...chosen, firstColumns(columns, titleProperty)]) {
    const found = [...new Set(names ?? [])].flatMap((name) => columns.find(({ property }) => property === name) ?? []);
    if (found.length > 0) return withTitle(found, columns, titleProperty);
  }
  return [];
}

function withTitle(shown: Column[], columns: readonly Column[], titleProperty: string): Column[] {
  const title = columns.find(({ property }) => property === titleProperty);
  return !title || shown.includes(title) ? shown : [title, ...shown];
}

/** Collections of images begin as cards. */
export function isMedia({ schema }: Pick<FormDescription, "schema">): boolean {
  const types = Object.entries(schema.properties).map(([, definition]) => resolveType(definition));
  const content = types.filter((type) => type !== "date" && type !== "slug" && type !== "boolean");
  const images = types.filter((type) => type === "image" || type === "gallery").length;
  return images > 0 && images * 3 >= content.length;
}

/** The image that stands for an object. */
export function imageColumn(columns: readonly Column[]): Column | undefined {
  const images = columns.filter(({ type }) => type === "image" || type === "gallery");
  return (
    images.find(({ isIndexed, type }) => isIndexed && type === "image") ?? images.find(({ isIndexed }) => isIndexed)
  );
}

const widths: Partial<Record<PropertyType, number>> = {
  boolean: 96,
  integer: 112,
  number: 112,
  date: 130,
  image: 64,
  list: 180,
  array: 180,
  color: 120,
  url: 220,
  email: 220,
};
const otherWidth = 160;
export const titleWidth = 240;
export const leastWidth = 64;

export function widthOf(column: Column, kept: TablePreferences["widths"]): number {
  return kept?.[column.property] ?? widths[column.type] ?? otherWidth;
}

/** Numbers stand right, so that their digits stand under each other. */
export function isNumeric({ type }: Column): boolean {
  return type === "number" || type === "integer";
}

/** Values that only differ in being there or not are not worth sorting by. */
export function isSortable({ type }: Column): boolean {
  return !long.has(type) && type !== "image";
}
