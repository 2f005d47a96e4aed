// webhooks:list, create, delete, test, deliveries, replay.

import type { Call } from "#cli/call.ts";
import { parseList } from "#cli/input.ts";
import { requireConsent } from "#cli/prompts.ts";
import { UsageError } from "#cli/usage.ts";
import type { Json } from "#contract/json.ts";
import type { Delivery } from "#contract/webhooks.ts";
import * as webhooks from "#webhooks/webhooks.ts";

export async function list(call: Call): Promise<void> {
  const all = await call.work((ctx) => webhooks.listWebhooks(ctx));
  if (call.isJson) return call.out.json(all as unknown as Json);
  await call.out.table(
    ["ID", "NAME", "URL", "EVENTS", "COLLECTIONS", "STATE"],
    all.map((hook) => [
      hook.id,
      hook.name,
      hook.url,
      hook.events.join(","),
      hook.collections.join(",") || "all",
      hook.active ? (hook.failingSince ? `failing since ${hook.failingSince}` : "active") : "off",
    ]),
  );
}

export async function create(
  call: Call,
  options: { name: string; events: string; collections: string },
  url: string,
): Promise<void> {
  const { name } = options;
  const body = { name, url, events: parseList(options.events), collections: parseList(options.collections) };
  const created = await call.work((ctx) => webhooks.createWebhook(ctx, body));
  if (call.isJson) return call.out.json(created as unknown as Json);
  await call.out.line(created.secret);
  call.remark(`Webhook ${created.id} is created. Its secret is shown only now: keep it safe.`);
}

export async function remove(call: Call, options: { force?: boolean }, id: string): Promise<void> {
  if (!(await requireConsent(call.host, options.force === true, `Delete the webhook ${id} and its log?`))) return;
  await call.work((ctx) => webhooks.deleteWebhook(ctx, id));
  if (call.isJson) await call.out.json({ deleted: id });
  else await call.out.line(`Webhook ${id} is deleted.`);
}

/** 1 when the receiver did not accept it. */
export async function test(call: Call, _options: unknown, id: string): Promise<number> {
  const delivery = await call.work((ctx) => webhooks.testWebhook(ctx, id));
  if (call.isJson) await call.out.json(delivery as unknown as Json);
  else await call.out.line(describeDelivery(delivery));
  return delivery.status === "delivered" ? 0 : 1;
}

export async function deliveries(call: Call, options: { limit: string }, id: string): Promise<void> {
  if (!/^[1-9]\d{0,2}$/.test(options.limit)) throw new UsageError("--limit must be a whole number from 1 to 100.");
  const limit = Math.min(Number(options.limit), 100);
  const found = await call.work((ctx) => webhooks.listDeliveries(ctx, id, { limit, offset: 0 }));
  if (call.isJson) return call.out.json(found.deliveries as unknown as Json);
  await call.out.table(
    ["ID", "EVENT", "STATUS", "ATTEMPTS", "ANSWER", "MS", "CREATED"],
    found.deliveries.map((delivery) => [
      delivery.id,
      delivery.event,
      delivery.status,
      String(delivery.attempts),
      String(delivery.responseStatus ?? delivery.error ?? ""),
      String(delivery.durationMs ?? ""),
      delivery.created,
    ]),
  );
}

export async function replay(call: Call, _options: unknown, id: string, delivery: string): Promise<void> {
  const queued = await call.work((ctx) => webhooks.replayDelivery(ctx, id, delivery));
  if (call.isJson) await call.out.json(queued as unknown as Json);
  else await call.out.line(`Delivery ${queued.id} is queued again.`);
}

function describeDelivery({ status, responseStatus, durationMs, error }: Delivery): string {
  return status === "delivered"
    ? `The receiver answered with status ${responseStatus} after ${durationMs} ms.`
    : `It was not delivered: ${error}`;
}
