// mailer:list, preview, send, test.

import type { Call } from "#cli/call.ts";
import { readJsonObject } from "#cli/input.ts";
import { UsageError } from "#cli/usage.ts";
import type { Json, JsonObject } from "#contract/json.ts";
import { mailerCollection, previewMail, sendMailer, testMailer } from "#mailer/mailer.ts";
import { iterateDocuments } from "#transfer/export.ts";

interface DataOptions {
  dataJson?: string;
  object?: string;
}

export async function list(call: Call): Promise<void> {
  const mailers: JsonObject[] = [];
  await call.work(async (ctx) => {
    for await (const texts of await iterateDocuments(ctx, mailerCollection))
      mailers.push(...texts.map((text) => JSON.parse(text) as JsonObject));
  });
  const rows = mailers.map(({ id, name, active, to, subject }) => ({ id, name, active, to, subject }) as JsonObject);
  if (call.isJson) return call.out.json(rows);
  await call.out.table(
    ["ID", "NAME", "ACTIVE", "TO", "SUBJECT"],
    rows.map((row) => [row.id, row.name, row.active === false ? "no" : "yes", row.to, row.subject].map(String)),
  );
}

export async function preview(call: Call, options: DataOptions, id: string): Promise<void> {
  const body = await bodyOf(call, options);
  const message = await call.work((ctx) => previewMail(ctx, id, body));
  if (call.isJson) return call.out.json(message as unknown as Json);
  await call.out.line(`To: ${[message.to].flat().join(", ")}`);
  await call.out.line(`Subject: ${message.subject}`);
  await call.out.line(`\n${message.text || message.html}`);
}

export async function send(call: Call, options: DataOptions & { at?: string }, id: string): Promise<void> {
  const body = { ...(await bodyOf(call, options)), ...(options.at !== undefined && { scheduledAt: options.at }) };
  const queued = await call.work((ctx) => sendMailer(ctx, id, body));
  if (call.isJson) return call.out.json(queued as unknown as Json);
  await call.out.line(`Mail ${queued.id} to ${queued.to.join(", ")} is queued.`);
}

export async function test(call: Call, options: DataOptions & { to?: string }, id: string): Promise<void> {
  const { to } = options;
  if (!to) throw new UsageError("A test needs an address: --to.");
  const body = { ...(await bodyOf(call, options)), to };
  const sent = await call.work((ctx) => testMailer(ctx, id, body));
  if (call.isJson) return call.out.json(sent as unknown as Json);
  await call.out.line(`The mail server accepted "${sent.subject}" to ${sent.to}.`);
}

async function bodyOf(call: Call, { dataJson, object }: DataOptions): Promise<JsonObject> {
  const [collection, id, ...rest] = object?.split("/") ?? [];
  if (object !== undefined && (!collection || !id || rest.length > 0))
    throw new UsageError("--object must be collection/id.");
  return {
    ...(dataJson !== undefined && { data: await readJsonObject(call.host, { dataJson }) }),
    ...(collection && id && { collection, object: id }),
  };
}
