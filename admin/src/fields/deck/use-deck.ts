// What can be done with the items of a deck, whatever it looks like.

import type { JsonObject } from "@contract/json.ts";
import type { SchemaRecord } from "@contract/schemas.ts";
import type { FieldInputProps } from "#fields/field-kind.ts";
import { freeId, itemBounds, itemLabel, itemsIn } from "#fields/items.ts";
import { readProperty } from "#fields/property.ts";
import { newId } from "#ui/newId.ts";
import { moved } from "#ui/order.ts";
import { toast } from "#ui/toast.ts";
import { deckWords } from "#words/decks.ts";
import { useWords } from "#words/language.ts";

export interface Deck {
  items: readonly JsonObject[];
  labels: readonly string[];
  least: number;
  most: number | undefined;
  isFull: boolean;
  /** A new item with its defaults, not yet in the deck. */
  make: () => JsonObject;
  set: (items: readonly JsonObject[]) => void;
  add: (item: JsonObject) => void;
  replace: (at: number, item: JsonObject) => void;
  duplicate: (at: number) => void;
  remove: (at: number) => void;
  move: (from: number, to: number) => void;
}

/** Files belong to the item that they were uploaded to. */
const fileTypes = new Set(["image", "gallery", "file", "depot"]);

export function useDeck({ property, value, onChange }: FieldInputProps, schema: SchemaRecord): Deck {
  const words = useWords(deckWords);
  const items = itemsIn(value);
  const labels = items.map((item, at) => itemLabel(property, item) || words.itemNumber(at + 1));
  const { least, most } = itemBounds(property);
  const set = (next: readonly JsonObject[]) => onChange([...next]);
  const own = Object.keys(schema.properties).map((name) => readProperty(schema, name, true));
  // The server makes ids where the schema says how; files need one before.
  const isIdMade =
    typeof schema.properties.id?.settings?.autogen === "string" && !own.some(({ type }) => fileTypes.has(type));
  const named = (item: JsonObject): JsonObject => (isIdMade ? item : { id: freeId(items, newId), ...item });
  return {
    ...{ items, labels, least, most, set },
    isFull: most !== undefined && items.length >= most,
    make: () => {
      const made: JsonObject = {};
      for (const { name, type, lock, definition } of own) {
        const { default: given } = definition;
        // Defaults such as "now" are worked out by the server.
        if (given !== undefined && given !== null && lock === undefined && type !== "date") made[name] = given;
      }
      return named(made);
    },
    add: (item) => set([...items, item]),
    replace: (at, item) => set(items.map((other, index) => (index === at ? item : other))),
    duplicate: (at) => {
      const copied = Object.entries(items[at] ?? {}).filter(([name]) => {
        return name !== "id" && !own.some((property) => property.name === name && fileTypes.has(property.type));
      });
      set([...items.slice(0, at + 1), named(Object.fromEntries(copied)), ...items.slice(at + 1)]);
    },
    remove: (at) => {
      set(items.filter((_, index) => index !== at));
      toast.good(words.removed(labels[at] ?? ""), { action: { label: words.undo, onPress: () => set(items) } });
    },
    move: (from, to) => set(moved(items, from, to)),
  };
}
