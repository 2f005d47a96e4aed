// The automations of the installation as their triggers need them: cached until the collection changes.
// Below the Pro edition there are none; their data stays.

import { isPro } from "#access/edition.ts";
import type { App } from "#context.ts";
import { isJsonObject, type JsonObject } from "#contract/json.ts";
import { createReactionLookup } from "#jobs/reaction-lookup.ts";
import type { Reader, Tx } from "#storage/port.ts";
import { listDocuments } from "#storage/tables/objects.ts";

export const automationsCollection = "automations";

export interface Automation {
  id: string;
  name: string;
  isEnabled: boolean;
  handler: string;
  triggers: Trigger[];
  errorMailerId: string;
  modified: string;
  /** As it is stored. */
  record: JsonObject;
}

/** One trigger of the record, as a handler sees it. */
export type Trigger = JsonObject & { id: string; type: string };

export type Automations = ReadonlyMap<string, Automation>;

const none: Automations = new Map();
const known = createReactionLookup<App, Automations>(`objects:${automationsCollection}`, read);

/** Synchronous when nothing has changed since the last call. */
export function listAutomations(app: App): Automations | Promise<Automations> {
  return isPro(app) ? (known.find(app) ?? known.load(app)) : none;
}

export async function findAutomation(app: App, id: string): Promise<Automation | undefined> {
  return (await listAutomations(app)).get(id);
}

/** For runs that a transaction queues. */
export function listAutomationsIn(app: App, tx: Tx): Automations | Promise<Automations> {
  return isPro(app) ? (known.find(app) ?? known.loadIn(app, tx)) : none;
}

async function read({ log }: App, db: Reader): Promise<Map<string, Automation>> {
  const found = new Map<string, Automation>();
  for (const { id, modified, doc } of await listDocuments(db, automationsCollection)) {
    try {
      found.set(id, toAutomation(id, modified, JSON.parse(doc) as JsonObject));
    } catch (error) {
      log.warn({ err: error, automation: id }, "an automation could not be read");
    }
  }
  return found;
}

function toAutomation(id: string, modified: string, record: JsonObject): Automation {
  const { name, enabled, handler, triggers, errorMailerId } = record;
  return {
    id,
    modified,
    record,
    name: typeof name === "string" && name !== "" ? name : id,
    isEnabled: enabled !== false,
    handler: typeof handler === "string" ? handler : "",
    triggers: (Array.isArray(triggers) ? triggers : []).filter(isJsonObject) as Trigger[],
    errorMailerId: typeof errorMailerId === "string" ? errorMailerId : "",
  };
}
