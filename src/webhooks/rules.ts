// Validates a webhook: its address, its events, its collections. Pure.

import { adminOnlyCollections } from "#access/permissions.ts";
import { type ErrorDetails, fail } from "#base/errors.ts";
import { isJsonObject, type Json } from "#contract/json.ts";
import { type Webhook, webhookEvents } from "#contract/webhooks.ts";
import type { CairnEvent } from "#jobs/reactions.ts";

export type WebhookInput = Pick<Webhook, "name" | "url" | "events" | "collections" | "active">;

const maxName = 200;
const maxUrl = 2_000;
const maxCollections = 100;

/** Users have events of their own, without their record. */
const usersCollection = "auth";
const userEvents: Record<string, string> = {
  "object.created": "user.created",
  "object.updated": "user.updated",
  "object.deleted": "user.deleted",
};

/** `current`: values for properties that a change leaves out. */
export function checkWebhook(body: Json, current?: WebhookInput): WebhookInput {
  if (!isJsonObject(body)) fail("invalid", "A webhook must be a JSON object.");
  const details: ErrorDetails = {};
  const { name, url, events, collections, active } = {
    ...{ name: "", url: undefined, events: ["*"], collections: [], active: true },
    ...current,
    ...Object.fromEntries(Object.entries(body).filter(([, value]) => value !== null)),
  } as { [property: string]: Json | undefined };
  if (typeof name !== "string" || name.length > maxName)
    details.name = [`must be text of at most ${maxName} characters`];
  if (typeof url !== "string" || !isWebAddress(url)) details.url = ["must be an http or https URL without credentials"];
  if (!isTexts(events) || events.length === 0 || !events.every(isPattern))
    details.events = [`must be a list of ${webhookEvents.join(", ")}, or with a star, such as object.*`];
  if (!isTexts(collections) || collections.length > maxCollections)
    details.collections = [`must be a list of at most ${maxCollections} collections`];
  if (typeof active !== "boolean") details.active = ["must be true or false"];
  if (Object.keys(details).length > 0) fail("invalid", "The webhook is not valid.", details);
  return { name, url, events, collections, active } as WebhookInput;
}

function isWebAddress(text: string): boolean {
  const url = text.length <= maxUrl ? URL.parse(text) : null;
  return (url?.protocol === "http:" || url?.protocol === "https:") && url.username === "" && url.password === "";
}

function isTexts(value: Json | undefined): value is string[] {
  return Array.isArray(value) && value.every((part) => typeof part === "string");
}

function isPattern(pattern: string): boolean {
  return webhookEvents.some((event) => covers(pattern, event));
}

function covers(pattern: string, event: string): boolean {
  return pattern === "*" || pattern === event || (pattern.endsWith(".*") && event.startsWith(pattern.slice(0, -1)));
}

export interface WebhookEvent {
  type: string;
  /** Without the object itself. */
  data: { [name: string]: Json };
  collection?: string | undefined;
}

/** The webhook event for an event; undefined for those that are sent in a different form. */
export function toWebhookEvent(event: CairnEvent): WebhookEvent | undefined {
  const { type, ...data } = event;
  const collection = "collection" in event ? event.collection : undefined;
  const userEvent = collection === usersCollection ? userEvents[type] : undefined;
  if (userEvent && "id" in event) return { type: userEvent, data: { id: event.id } };
  if (!(webhookEvents as readonly string[]).includes(type)) return undefined;
  return { type, data, collection };
}

/** Events for administrators, such as the code of automations, are sent only to webhooks that name their collection. */
export function isSubscribed(
  hook: Pick<WebhookInput, "active" | "events" | "collections">,
  { type, collection }: WebhookEvent,
) {
  if (!hook.active || !hook.events.some((pattern) => covers(pattern, type))) return false;
  if (hook.collections.length > 0) return collection !== undefined && hook.collections.includes(collection);
  return collection === undefined || !adminOnlyCollections.has(collection);
}
