// The webhook of an automation. Its trigger decides which callers it accepts: all, pages of this site, or
// holders of a key. An automation that cannot be called answers like a missing one.

import type { KeyActor } from "#access/actor.ts";
import { recognizeKey } from "#access/credentials.ts";
import { requirePro } from "#access/edition.ts";
import { fail } from "#base/errors.ts";
import type { App } from "#context.ts";
import type { Json, JsonObject } from "#contract/json.ts";
import { findAutomation, type Trigger } from "./load-automations.ts";
import { queueLimitedRun, type RunInput, runNow } from "./runs.ts";

export interface Webhook {
  automation: string;
  trigger: Trigger;
}

/** The first webhook of an automation counts. */
export async function getWebhook(app: App, id: string): Promise<Webhook> {
  requirePro(app, "Automations");
  const automation = await findAutomation(app, id);
  const trigger = automation?.isEnabled ? automation.triggers.find(({ type }) => type === "webhook") : undefined;
  return trigger ? { automation: id, trigger } : fail("not-found");
}

/** Whether everybody may call the webhook among these triggers, once the automation is enabled. */
export function isOpenToAll(triggers: readonly Trigger[]): boolean {
  const webhook = triggers.find(({ type }) => type === "webhook");
  return webhook !== undefined && (webhook.auth ?? "none") === "none";
}

export interface WebhookCaller {
  /** From a header; undefined: none was sent. */
  key: string | undefined;
  /** The headers `Origin` and `Referer` as sent. */
  origin: string | undefined;
  referer: string | undefined;
  /** Origins that this webhook is served from. */
  ownOrigins: readonly string[];
}

/** The key, where one is required. Fails when the caller is refused. */
export async function admitWebhook(
  app: App,
  { automation, trigger }: Webhook,
  caller: WebhookCaller,
): Promise<KeyActor | undefined> {
  switch (trigger.auth ?? "none") {
    case "none":
      return undefined;
    case "sameOrigin":
      if (!isSameOrigin(caller)) fail("forbidden", "Only pages of the same site may call this webhook.");
      return undefined;
    default: {
      const path = `/automations/${encodeURIComponent(automation)}`;
      const key = caller.key === undefined ? undefined : await recognizeKey(app, caller.key, { method: "POST", path });
      return key ?? fail("invalid-key");
    }
  }
}

/** The whole origin counts; the referer only where there is no origin. */
function isSameOrigin({ origin, referer, ownOrigins }: WebhookCaller): boolean {
  const sent = origin ?? (referer === undefined ? undefined : URL.parse(referer)?.origin);
  return sent !== undefined && sent !== "null" && ownOrigins.includes(sent);
}

export type WebhookAnswer = { isQueued: true; runId: string } | { isQueued: false; result: Json };

export async function callWebhook(
  app: App,
  { automation, trigger }: Webhook,
  { args, request }: { args: JsonObject; request: JsonObject },
): Promise<WebhookAnswer> {
  const input: RunInput = { trigger, args, event: null, request, depth: 0 };
  // Only the boolean true makes the caller wait.
  if (trigger.sync === true) return { isQueued: false, result: (await runNow(app, automation, input)).result };
  return { isQueued: true, runId: await queueLimitedRun(app, automation, input) };
}
