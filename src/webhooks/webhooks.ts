// Outbound webhooks: created, listed, changed and deleted by the admin persona. A secret is only in the answer to its
// creation; it is stored encrypted under the site key.

import { allow } from "#access/allow.ts";
import { audit } from "#access/audit.ts";
import { requirePro } from "#access/edition.ts";
import { confirmPower } from "#access/recent-proof.ts";
import { fail } from "#base/errors.ts";
import { uuid } from "#base/ids.ts";
import { encryptSecret, getSiteKey } from "#base/secrets.ts";
import { checkTag, type Precondition, tagOf } from "#content/preconditions.ts";
import type { App, Context } from "#context.ts";
import type { Operation } from "#contract/collections.ts";
import type { Json } from "#contract/json.ts";
import type { Delivery, DeliveryWithRequest, ListedWebhook, Webhook } from "#contract/webhooks.ts";
import { enqueue } from "#jobs/enqueue.ts";
import { lockName } from "#storage/name-locks.ts";
import {
  countDeliveries,
  type DeliveryRow,
  deleteWebhookRow,
  findDelivery,
  findWebhookRow,
  insertDelivery,
  listDeliveryRows,
  listWebhookRows,
  lockWebhookRow,
  putWebhook,
  requeueDelivery,
  type WebhookRow,
} from "#storage/tables/webhooks.ts";
import { attemptDelivery, deliveryKind } from "./deliver.ts";
import { checkSameHost, namesOf, readHeaders, sealHeaders } from "./headers.ts";
import { checkWebhook } from "./rules.ts";
import { createSecret } from "./sign.ts";

export type WebhookWithSecret = Webhook & { secret: string };

const maxWebhooks = 100;
/** How long both secrets sign after a rotation. */
const overlapMs = 86_400_000;

function allowWebhooks(ctx: Context, operation: Operation): void {
  allow(ctx, operation, { kind: "webhooks" });
  requirePro(ctx, "Webhooks");
}

/** They carry content elsewhere. */
async function allowChange(ctx: Context, operation: Operation): Promise<void> {
  allowWebhooks(ctx, operation);
  await confirmPower(ctx);
}

export async function listWebhooks(ctx: Context): Promise<ListedWebhook[]> {
  allowWebhooks(ctx, "read");
  const listed: ListedWebhook[] = [];
  for (const row of await listWebhookRows(ctx.storage)) {
    const [last] = await listDeliveryRows(ctx.storage, row.id, { limit: 1, offset: 0 });
    listed.push({ ...presentWebhook(row), lastDelivery: last ? presentLast(last) : null });
  }
  return listed;
}

function presentLast({
  id,
  event,
  status,
  created,
  responseStatus,
  error,
}: DeliveryRow): ListedWebhook["lastDelivery"] {
  return { id, event, status, created, responseStatus, error };
}

export async function getWebhook(ctx: Context, id: string): Promise<Webhook> {
  allowWebhooks(ctx, "read");
  return presentWebhook((await findWebhookRow(ctx.storage, id)) ?? noWebhook(id));
}

/** The only time that the secret is shown. */
export async function createWebhook(ctx: Context, body: Json): Promise<WebhookWithSecret> {
  await allowChange(ctx, "create");
  const input = checkWebhook(body);
  const now = ctx.clock.iso();
  const id = uuid();
  const secret = createSecret();
  const row: WebhookRow = {
    ...{ id, name: input.name, url: input.url, created: now, updated: now },
    events: JSON.stringify(input.events),
    collections: JSON.stringify(input.collections),
    headers: sealHeaders(ctx, id, { wanted: readHeaders(body, "[]"), stored: "[]" }),
    isActive: input.active ? 1 : 0,
    secret: sealSecret(ctx, id, secret),
    ...{ previousSecret: null, previousUntil: null, failingSince: null, disabledReason: null },
  };
  await ctx.storage.write(async (tx) => {
    await lockName(tx, "webhooks");
    if ((await listWebhookRows(tx)).length >= maxWebhooks)
      fail("invalid", `There are ${maxWebhooks} webhooks already, which is the limit. Delete one first.`);
    await putWebhook(tx, row);
  });
  audit(ctx, { type: "webhook.saved", details: { webhook: id } });
  return { ...presentWebhook(row), secret };
}

/** Only sent properties change; switching it on clears its failures. */
export async function patchWebhook(
  ctx: Context,
  id: string,
  body: Json,
  { ifMatch }: Precondition = {},
): Promise<Webhook> {
  await allowChange(ctx, "update");
  const saved = await ctx.storage.write(async (tx) => {
    const row = (await lockWebhookRow(tx, id)) ?? noWebhook(id);
    checkTag(ifMatch, tagOf(JSON.stringify(presentWebhook(row))));
    const input = checkWebhook(body, presentWebhook(row));
    const wanted = readHeaders(body, row.headers);
    checkSameHost(wanted, { from: row.url, to: input.url });
    const changed: WebhookRow = {
      ...row,
      ...{ name: input.name, url: input.url, updated: ctx.clock.iso(), isActive: input.active ? 1 : 0 },
      events: JSON.stringify(input.events),
      collections: JSON.stringify(input.collections),
      headers: sealHeaders(ctx, id, { wanted, stored: row.headers }),
      ...(input.active && { failingSince: row.isActive ? row.failingSince : null, disabledReason: null }),
    };
    await putWebhook(tx, changed);
    return changed;
  });
  audit(ctx, { type: "webhook.saved", details: { webhook: id } });
  return presentWebhook(saved);
}

export async function deleteWebhook(ctx: Context, id: string): Promise<void> {
  await allowChange(ctx, "delete");
  if (!(await ctx.storage.write((tx) => deleteWebhookRow(tx, id)))) noWebhook(id);
  audit(ctx, { type: "webhook.deleted", details: { webhook: id } });
}

/** A new secret, shown only this once; the old one also signs for a day, so that the receiver can change over. */
export async function rotateSecret(ctx: Context, id: string): Promise<WebhookWithSecret> {
  await allowChange(ctx, "update");
  const secret = createSecret();
  const sealed = sealSecret(ctx, id, secret);
  const saved = await ctx.storage.write(async (tx) => {
    const row = (await lockWebhookRow(tx, id)) ?? noWebhook(id);
    const now = ctx.clock.now();
    const changed: WebhookRow = {
      ...row,
      secret: sealed,
      previousSecret: row.secret,
      previousUntil: new Date(now + overlapMs).toISOString(),
      updated: new Date(now).toISOString(),
    };
    await putWebhook(tx, changed);
    return changed;
  });
  audit(ctx, { type: "webhook.saved", details: { webhook: id, secret: "changed" } });
  return { ...presentWebhook(saved), secret };
}

/** Sends one at once, active or not, and returns the receiver's answer; it is not retried. */
export async function testWebhook(ctx: Context, id: string): Promise<Delivery> {
  allowWebhooks(ctx, "update");
  const hook = (await findWebhookRow(ctx.storage, id)) ?? noWebhook(id);
  const created = ctx.clock.iso();
  const event = "webhook.test";
  const body = JSON.stringify({ type: event, timestamp: created, data: { webhook: id } });
  const delivery = { id: deliveryId(), webhook: id, event, body, created };
  if (!(await ctx.storage.write((tx) => insertDelivery(tx, delivery)))) noWebhook(id);
  await attemptDelivery(ctx, hook, delivery);
  return presentDelivery((await findDelivery(ctx.storage, delivery.id)) ?? noWebhook(id));
}

export async function listDeliveries(
  ctx: Context,
  id: string,
  page: { limit: number; offset: number },
): Promise<{ deliveries: Delivery[]; total: number }> {
  allowWebhooks(ctx, "read");
  if (!(await findWebhookRow(ctx.storage, id))) noWebhook(id);
  const rows = await listDeliveryRows(ctx.storage, id, page);
  return { deliveries: rows.map(presentDelivery), total: await countDeliveries(ctx.storage, id) };
}

export async function getDelivery(ctx: Context, id: string, delivery: string): Promise<DeliveryWithRequest> {
  allowWebhooks(ctx, "read");
  const found = await findDelivery(ctx.storage, delivery);
  if (found?.webhook !== id) fail("not-found", "There is no such delivery.");
  return { ...presentDelivery(found), request: found.body };
}

/** Delivers again from the first attempt, with the same id: a receiver can recognise the duplicate. */
export async function replayDelivery(ctx: Context, id: string, delivery: string): Promise<Delivery> {
  allowWebhooks(ctx, "update");
  const found = await findDelivery(ctx.storage, delivery);
  if (found?.webhook !== id) fail("not-found", "There is no such delivery.");
  await ctx.storage.write(async (tx) => {
    await requeueDelivery(tx, delivery, ctx.clock.iso());
    await enqueue(tx, { kind: deliveryKind, subject: id, payload: { delivery } });
  });
  return presentDelivery((await findDelivery(ctx.storage, delivery)) ?? noWebhook(id));
}

export function deliveryId(): string {
  return `msg_${uuid().replaceAll("-", "")}`;
}

function sealSecret({ settings }: Pick<App, "settings">, id: string, secret: string): string {
  return encryptSecret(getSiteKey(settings.dataDir), secret, `webhook ${id}`);
}

export function presentWebhook(row: WebhookRow): Webhook {
  const { id, name, url, failingSince, disabledReason, created, updated } = row;
  const [events, collections] = [JSON.parse(row.events) as string[], JSON.parse(row.collections) as string[]];
  const state = { active: row.isActive === 1, failingSince, disabledReason };
  const headers = namesOf(row.headers);
  return { id, name, url, events, collections, headers, ...state, created, updated };
}

function presentDelivery({ body: _body, ...row }: DeliveryRow): Delivery {
  return row;
}

function noWebhook(id: string): never {
  fail("not-found", `There is no webhook "${id.slice(0, 100)}".`);
}
