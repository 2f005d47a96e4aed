// Deck items: a deck is a list of small objects with ids inside a property.

import { requirePro } from "#access/edition.ts";
import { fail } from "#base/errors.ts";
import { openCollection } from "#content/collections/open-collection.ts";
import type { Precondition } from "#content/preconditions.ts";
import type { Context } from "#context.ts";
import { isJsonObject, type Json, type JsonObject } from "#contract/json.ts";
import type { ObjectAnswer } from "./object-answer.ts";
import { getObject } from "./objects.ts";
import { complain, type OpenProperty, openProperty, type PropertyTarget, setProperty } from "./properties.ts";

export async function createDeckItem(
  ctx: Context,
  target: PropertyTarget,
  { item, ifMatch }: { item: Json } & Precondition,
): Promise<ObjectAnswer> {
  const opened = await openDeck(ctx, target);
  if (!isJsonObject(item)) return complain(target.property, "A deck item must be a JSON object.");
  return setProperty(ctx, opened, {
    ifMatch,
    sent: [item],
    next(deck) {
      const items = itemsOf(deck);
      if (item.id !== undefined && items.some(({ id }) => id === item.id)) {
        const message = `A deck item with id ${String(item.id)} already exists.`;
        fail("exists", message, { [`${target.property}.${String(item.id)}`]: [message] });
      }
      return [...items, item];
    },
  });
}

export async function getDeckItem(ctx: Context, target: PropertyTarget, itemId: string): Promise<JsonObject> {
  const { schema } = await openCollection(ctx, "read", target.collection, target.id);
  requirePro(ctx, "Deck items");
  checkIsDeck(schema.properties.get(target.property)?.kind.type, target.property);
  const { text } = await getObject(ctx, target.collection, target.id);
  const items = itemsOf((JSON.parse(text) as JsonObject)[target.property]);
  return items.find(({ id }) => id === itemId) ?? missingItem(itemId);
}

export async function replaceDeckItem(
  ctx: Context,
  target: PropertyTarget,
  { itemId, item, ifMatch }: { itemId: string; item: Json } & Precondition,
): Promise<ObjectAnswer> {
  const opened = await openDeck(ctx, target);
  if (!isJsonObject(item)) return complain(target.property, "A deck item must be a JSON object.");
  const sent = typeof item.id === "number" ? String(item.id) : (item.id ?? itemId);
  if (sent !== itemId) {
    return complain(`${target.property}.${itemId}.id`, "The id in the body differs from the id in the path.");
  }
  const replacement = { ...item, id: itemId };
  return setProperty(ctx, opened, {
    ifMatch,
    sent: [replacement],
    next(deck) {
      const items = itemsOf(deck);
      const at = items.findIndex(({ id }) => id === itemId);
      return at < 0 ? missingItem(itemId) : items.with(at, replacement);
    },
  });
}

export async function deleteDeckItem(
  ctx: Context,
  target: PropertyTarget,
  { itemId, ifMatch }: { itemId: string } & Precondition,
): Promise<ObjectAnswer> {
  const opened = await openDeck(ctx, target);
  return setProperty(ctx, opened, {
    ifMatch,
    sent: null,
    next(deck) {
      const items = itemsOf(deck);
      const rest = items.filter(({ id }) => id !== itemId);
      return rest.length === items.length ? missingItem(itemId) : rest;
    },
  });
}

async function openDeck(ctx: Context, target: PropertyTarget): Promise<OpenProperty> {
  const opened = await openProperty(ctx, target);
  requirePro(ctx, "Deck items");
  checkIsDeck(opened.property.kind.type, target.property);
  return opened;
}

function checkIsDeck(type: string | undefined, property: string): void {
  if (type === undefined) fail("not-found", `There is no property "${property}".`);
  if (type !== "deck") complain(property, "This property is not a deck.");
}

function itemsOf(deck: Json | undefined): JsonObject[] {
  return Array.isArray(deck) ? deck.filter(isJsonObject) : [];
}

function missingItem(itemId: string): never {
  fail("not-found", `There is no deck item "${itemId}".`);
}
