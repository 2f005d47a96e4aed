// From events to deliveries: those of a write to the database in its own transaction, so that none is lost; those of
// templates, which are files, right after it. An event contains the object as it was written, drafts included; passwords
// are not part of an object. Events of users have only the id.

import { isPro } from "#access/edition.ts";
import type { App } from "#context.ts";
import type { Webhook } from "#contract/webhooks.ts";
import { enqueue } from "#jobs/enqueue.ts";
import { createReactionLookup } from "#jobs/reaction-lookup.ts";
import type { CairnEvent } from "#jobs/reactions.ts";
import type { Tx } from "#storage/port.ts";
import { findDocument } from "#storage/tables/objects.ts";
import { insertDelivery, listWebhookRows } from "#storage/tables/webhooks.ts";
import { deliver, deliveryKind } from "./deliver.ts";
import { isSubscribed, toWebhookEvent, type WebhookEvent } from "./rules.ts";
import { deliveryId, presentWebhook } from "./webhooks.ts";

const concurrency = 8;
/** Larger objects are left out of their event. */
const maxObject = 500_000;

export function registerWebhooks(app: App): void {
  app.jobs.handle(deliveryKind, (job) => deliver(app, job), {
    ...{ concurrency, keep: 100, retriesOnError: true },
    // Each is in the list of deliveries, where it would wait forever.
    cancels: "none",
  });
  app.reactions.add((tx, event) => react(app, tx, event));
}

function react(app: App, tx: Tx, event: CairnEvent): Promise<void> | undefined {
  const known = knownHooks.find(app);
  if (known?.length === 0) return undefined;
  const sent = toWebhookEvent(event);
  if (!sent || (known && !known.some((hook) => isSubscribed(hook, sent)))) return undefined;
  return queue(app, tx, sent);
}

async function queue(app: App, tx: Tx, sent: WebhookEvent): Promise<void> {
  const hooks = (await knownHooks.loadIn(app, tx)).filter((hook) => isSubscribed(hook, sent));
  if (hooks.length === 0 || !isPro(app)) return;
  const created = app.clock.iso();
  const body = await bodyOf(tx, sent, created);
  for (const { id: webhook } of hooks) {
    const id = deliveryId();
    if (await insertDelivery(tx, { id, webhook, event: sent.type, body, created }))
      await enqueue(tx, { kind: deliveryKind, subject: webhook, payload: { delivery: id } });
  }
}

/** The stored text is inserted unchanged. */
async function bodyOf(tx: Tx, { type, data, collection }: WebhookEvent, timestamp: string): Promise<string> {
  const head = JSON.stringify({ type, timestamp });
  const isWrite = type === "object.created" || type === "object.updated";
  const row = isWrite && collection ? await findDocument(tx, collection, String(data.id)) : undefined;
  const text = JSON.stringify(data);
  const object = row && row.doc.length <= maxObject ? `${text.slice(0, -1)},"object":${row.doc}}` : text;
  return `${head.slice(0, -1)},"data":${object}}`;
}

const knownHooks = createReactionLookup<Pick<App, "storage">, Webhook[]>("webhooks", async (_app, db) =>
  (await listWebhookRows(db)).map(presentWebhook),
);
