// A deck: items in order, each with an id of its own and the shape of the deck's schema.
// May be sent as an array of items, or as an object whose keys are the ids.

import { uid } from "#base/ids.ts";
import { isJsonObject, type Json, type JsonObject } from "#contract/json.ts";
import { maxElements } from "#schemas/bounds.ts";
import type { Field, FieldKind, FlatSchema } from "#schemas/types.ts";
import { deckItems } from "#schemas/values/walk.ts";
import { generateId } from "./autogen.ts";
import { cleanMetadata, decodeJson, isWithin } from "./clean.ts";
import { report, reportAt, settingsOf } from "./report.ts";
import { buildShape, joinSearched, shapePasswords, shapeText } from "./shape.ts";

const maxIdLength = 200;
/** Would reach the prototype where items are stored by id. */
const refusedIds = new Set(["__proto__", "constructor", "prototype"]);

export const deckKind: FieldKind = {
  type: "deck",
  rules: "counts",
  isEmpty: (value) => Array.isArray(value) && value.length === 0,
  isShaped: () => false,
  coerce(value, field) {
    const items = readItems(value);
    if (!items) return report(field, "must be a list of items");
    if (!isWithin(items, maxElements, field)) return undefined;
    const sentIds = new Set(objectsIn(items).map(({ id }) => String(id)));
    const taken = new Set<string>();
    const suffixes = new Map<string, number>();
    const built: Json[] = [];
    for (const [index, item] of items.entries()) {
      const id = isJsonObject(item) ? itemId(item, { field, index, sentIds, taken, suffixes }) : undefined;
      if (!isJsonObject(item)) reportAt(field, `${field.path}.${index}`, "Items must be objects");
      else if (id !== undefined) built.push(buildItem(id, item, { field, index }));
    }
    return built;
  },
  text: (value, item) => (item ? joinSearched(objectsIn(value), (entry) => shapeText(item, entry)) : ""),
  passwords: (value, item) =>
    item ? objectsIn(readItems(value) ?? []).flatMap((entry) => shapePasswords(item, entry)) : [],
};

function buildItem(id: string, sent: JsonObject, { field, index }: Pick<ItemPlace, "field" | "index">): JsonObject {
  const { item } = field.property;
  if (!item) return { ...(cleanMetadata(sent, field) as JsonObject), id };
  const { problems } = field.write;
  const before = problems.length;
  const prefix = `${field.path}.${id}.`;
  const built = { id, ...buildShape(item, sent, { write: field.write, prefix }) };
  // An item sent without an id is named by its position.
  if ((sent.id ?? "") === "")
    for (const problem of problems.slice(before))
      problem.path = `${field.path}.${index}.${problem.path.slice(prefix.length)}`;
  return built;
}

function readItems(value: Json): Json[] | undefined {
  return deckItems(value === "" ? [] : decodeJson(value));
}

interface ItemPlace {
  field: Field;
  index: number;
  /** Ids of all items that were sent with one: generated ids must differ. */
  sentIds: ReadonlySet<string>;
  /** Ids of the items before this one. */
  taken: Set<string>;
  /** The last suffix of generated ids of one kind. */
  suffixes: Map<string, number>;
}

function itemId(item: JsonObject, place: ItemPlace): string | undefined {
  const { field, index, taken } = place;
  const sent = item.id ?? "";
  if (sent === "") return field.write.isLenient ? undefined : newItemId(item, place);
  const id = typeof sent === "number" ? String(sent) : sent;
  if (!isItemId(id)) {
    return reportAt(field, `${field.path}.${index}.id`, "Item ids may have letters, digits, _ and - only");
  }
  if (taken.has(id)) return reportAt(field, `${field.path}.${id}.id`, `The item id ${id} occurs twice`);
  taken.add(id);
  return id;
}

function newItemId(item: JsonObject, { field, sentIds, taken, suffixes }: ItemPlace): string {
  const base = proposeItemId(field.property.item, item, field.write.now);
  let suffix = suffixes.get(base) ?? 1;
  let id = base;
  while (taken.has(id) || sentIds.has(id)) id = `${base}_${++suffix}`;
  suffixes.set(base, suffix);
  taken.add(id);
  return id;
}

function proposeItemId(schema: FlatSchema | undefined, item: JsonObject, now: string): string {
  const property = schema?.properties.get("id");
  const { autogen } = property ? settingsOf(property) : {};
  const id = typeof autogen === "string" ? generateId(autogen, item, { now, isSnakeCase: true }) : "";
  return isItemId(id) ? id : uid();
}

function isItemId(id: Json): id is string {
  return typeof id === "string" && id.length <= maxIdLength && /^[A-Za-z0-9_-]+$/.test(id) && !refusedIds.has(id);
}

function objectsIn(value: Json): JsonObject[] {
  return Array.isArray(value) ? value.filter((entry): entry is JsonObject => isJsonObject(entry)) : [];
}
