// history:list, show, restore; trash:list, restore, empty.

import type { Call } from "#cli/call.ts";
import { JsonText } from "#cli/output.ts";
import { requireConsent } from "#cli/prompts.ts";
import { diffVersion, getVersion, listHistory } from "#content/history/history.ts";
import { restoreVersion } from "#content/history/restore.ts";
import { emptyTrash, listTrash, restoreTrash } from "#content/history/trash.ts";
import type { ChangeAuthor } from "#contract/history.ts";
import type { Json, JsonObject } from "#contract/json.ts";

interface Paging {
  limit?: string;
  cursor?: string;
}

function pageOf({ limit, cursor }: Paging, more: Record<string, string | undefined>): Record<string, string> {
  const all = Object.entries({ limit, cursor, ...more });
  return Object.fromEntries(all.filter((pair): pair is [string, string] => pair[1] !== undefined));
}

function nameOf({ actor, door }: ChangeAuthor): string {
  return `${actor} (${door})`;
}

export async function list(
  call: Call,
  options: Paging & { property?: string },
  ...[collection, id]: [string, string]
): Promise<void> {
  const params = pageOf(options, { property: options.property });
  const page = await call.work((ctx) => listHistory(ctx, collection, id, params));
  if (call.isJson) return call.out.json(page as unknown as Json);
  await call.out.table(
    ["CHANGE", "AT", "KIND", "BY", "PROPERTIES", "NOTE"],
    page.data.map(({ change, at, kind, by, properties, note }) => [
      ...[change, at, kind, by ? nameOf(by) : "", properties.join(", "), note ?? ""],
    ]),
  );
  if (page.meta.cursor !== undefined) call.remark(`There is more: --cursor ${page.meta.cursor}`);
}

export async function show(
  call: Call,
  { diff }: { diff?: string },
  ...[collection, id, change]: [string, string, string]
): Promise<void> {
  const asked = { id, change };
  if (diff === undefined) return call.out.json(await call.work((ctx) => getVersion(ctx, collection, asked)));
  const differences = await call.work((ctx) => diffVersion(ctx, collection, { ...asked, diff }));
  if (call.isJson) return call.out.json(differences as unknown as Json);
  await call.out.table(
    ["PROPERTY", "FROM", "TO"],
    differences.map(({ property, from, to }) => [property, JSON.stringify(from), JSON.stringify(to)]),
  );
}

export async function restore(
  call: Call,
  { property, note }: { property: string[]; note?: string },
  ...[collection, id, change]: [string, string, string]
): Promise<void> {
  const body: JsonObject = {
    ...(property.length > 0 && { properties: property }),
    ...(note !== undefined && { note }),
  };
  const { answer, lost } = await call.work((ctx) => restoreVersion(ctx, collection, { id, change, body }));
  for (const key of lost) call.remark(`The file ${key} is gone.`);
  if (call.isJson) await call.out.json(new JsonText(answer.text));
  else await call.out.line(`${collection}/${id} is as it was after change ${change}.`);
}

export async function listDeleted(call: Call, options: Paging & { collection?: string }): Promise<void> {
  const page = await call.work((ctx) => listTrash(ctx, pageOf(options, { collection: options.collection })));
  if (call.isJson) return call.out.json(page as unknown as Json);
  await call.out.table(
    ["CHANGE", "DELETED", "COLLECTION", "ID", "TITLE", "BY", "UNTIL"],
    page.data.map(({ change, deleted, collection, id, title, by, until }) => [
      ...[change, deleted, collection, id, title, nameOf(by), until],
    ]),
  );
  if (page.meta.cursor !== undefined) call.remark(`There is more: --cursor ${page.meta.cursor}`);
}

export async function restoreDeleted(call: Call, { id }: { id?: string }, change: string): Promise<void> {
  const back = await call.work((ctx) => restoreTrash(ctx, change, id === undefined ? {} : { id }));
  if ("job" in back) {
    if (call.isJson) return call.out.json(back);
    return call.out.line(`The collection is back. The server brings its objects back in job ${back.job}.`);
  }
  for (const key of back.lost) call.remark(`The file ${key} is gone.`);
  if (call.isJson) await call.out.json(new JsonText(back.answer.text));
  else await call.out.line(`${back.answer.id} is back.`);
}

export async function empty(call: Call, { force }: { force?: boolean }, collection: string): Promise<number> {
  const question = `Delete all that is in the trash of ${collection} for good?`;
  if (!(await requireConsent(call.host, force === true, question))) {
    call.remark("Nothing is deleted.");
    return 1;
  }
  await call.work((ctx) => emptyTrash(ctx, { collection, confirm: collection }));
  if (call.isJson) await call.out.json({ emptied: collection });
  else await call.out.line(`The trash of ${collection} is empty.`);
  return 0;
}
