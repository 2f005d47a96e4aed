// push, pull: prints what was or would be transferred. Names that come from the other side are cleaned before they are shown.

import { fail } from "#base/errors.ts";
import type { Call } from "#cli/call.ts";
import { clean } from "#cli/output.ts";
import { canAsk, confirm, type Streams } from "#cli/prompts.ts";
import type { Json } from "#contract/json.ts";
import type { Comparison, ItemRef } from "#contract/transfer.ts";
import { isGitManaged } from "#site/templates.ts";
import * as transfer from "#sync/push-pull.ts";
import { openRemote } from "#sync/remote.ts";
import { readOrder, type SyncOptions } from "./sync-flags.ts";

const failed = 1;
const marks = { differs: "~", new: "+", identical: "=", "receiver-only": "·" } as const;

export function push(call: Call, options: SyncOptions): Promise<number> {
  return run(call, options, { compare: transfer.comparePush, move: transfer.push });
}

export function pull(call: Call, options: SyncOptions): Promise<number> {
  return run(call, options, { compare: transfer.comparePull, move: transfer.pull });
}

interface Direction {
  compare: typeof transfer.comparePush;
  move: typeof transfer.push;
}

async function run(call: Call, options: SyncOptions, { compare, move }: Direction): Promise<number> {
  const order = readOrder(options);
  const remote = openRemote(await call.savedSettings());
  if (options.templates !== undefined && isGitManaged(call)) {
    call.remark("Templates are not transferred: the project keeps them in its own builder folder.");
  }
  if (call.host.stderr.isTTY) call.remark(`Connecting to ${remote.url} ...`);
  if (options.dryRun) {
    const result = await call.work((ctx) => compare(ctx, remote, order));
    if (call.isJson) await call.out.json(asJson(remote.url, result, false));
    else await showComparison(call, remote.url, result);
    return finish(call, result);
  }
  const done = await call.work((ctx) => move(ctx, remote, order, (found) => agree(call, found, options.yes === true)));
  const isSent = done.items.length > 0;
  if (call.isJson) await call.out.json(asJson(remote.url, done, isSent));
  else await showDone(call, remote.url, done);
  if (done.failure) call.remark(`cairn: ${done.failure}`);
  return done.failure ? failed : finish(call, done);
}

/** Names what would replace newer work. Asks once, where a person can answer. */
async function agree(call: Call, { direction, items }: transfer.Transfer, isSure: boolean): Promise<void> {
  const warned = items.filter(({ warning }) => warning !== undefined);
  for (const item of warned) call.remark(`WARNING: ${item.kind} ${nameOf(item)}: ${item.warning}`);
  const receiver = direction === "push" ? "remote" : "local";
  const count = warned.filter(({ newer }) => newer === receiver).length;
  if (!(await mayOverwrite(call.host, isSure, count))) fail("invalid", `Nothing is ${direction}ed.`);
}

/** `count`: newer items that would be replaced. Without a terminal nothing is asked. */
export async function mayOverwrite(streams: Streams, isSure: boolean, count: number): Promise<boolean> {
  if (count === 0 || isSure || !canAsk(streams)) return true;
  return confirm(streams, `Overwrite ${count} newer ${count === 1 ? "item" : "items"}?`);
}

/** Reports named ids that do not exist; when nothing else was asked for, that is a failure. */
function finish(call: Call, { missing, items, direction, unreachable }: transfer.Transfer): number {
  const side = direction === "push" ? "here" : "on the remote";
  for (const item of missing) call.remark(`There is no ${item.kind} ${nameOf(item)} ${side}.`);
  if (unreachable) call.remark(`${unreachable} Nothing was compared.`);
  return missing.length > 0 && items.every(({ status }) => status === "receiver-only") ? failed : 0;
}

function asJson(remote: string, result: transfer.Transfer | transfer.Done, sent: boolean): Json {
  const items = result.items.map(({ isLikely: _i, local: _l, remote: _r, ...item }) => item);
  return {
    direction: result.direction,
    remote,
    compared: result.compared,
    items,
    sent,
    ...("report" in result && { result: result.report }),
    ...("failure" in result && { failure: result.failure }),
  } as unknown as Json;
}

async function showDone(call: Call, remote: string, { direction, report }: transfer.Done): Promise<void> {
  const { created, updated, unchanged, skipped } = report;
  if (created.length + updated.length + unchanged.length + skipped.length === 0) {
    return call.out.line(`Nothing to ${direction}.`);
  }
  for (const item of created) await call.out.line(clean(`+ ${item.kind} ${nameOf(item)}`));
  for (const item of updated) await call.out.line(clean(`~ ${item.kind} ${nameOf(item)}`));
  for (const item of skipped) await call.out.line(clean(`- ${item.kind} ${nameOf(item)}  left untouched`));
  const counts = `${created.length} created, ${updated.length} updated, ${unchanged.length} unchanged`;
  const way = direction === "push" ? `Pushed to ${remote}` : `Pulled from ${remote}`;
  await call.out.line(clean(`${way}: ${counts}${skipped.length > 0 ? `, ${skipped.length} skipped` : ""}.`));
}

async function showComparison(call: Call, remote: string, { direction, items, compared }: transfer.Transfer) {
  const way = direction === "push" ? "push to" : "pull from";
  await call.out.line(clean(`Dry run: ${way} ${remote}. Nothing is sent.`));
  if (items.length === 0) await call.out.line(`Nothing to ${direction}.`);
  const receiver = direction === "push" ? "remote" : "local";
  for (const [head, group] of Map.groupBy(items, headOf)) {
    await call.out.line();
    await call.out.line(clean(`${head}:`));
    for (const item of group) await call.out.line(clean(`  ${compared ? describeItem(item, receiver) : item.id}`));
  }
}

function headOf({ kind, collection }: ItemRef): string {
  if (kind === "object") return `Objects of ${collection}`;
  return { schema: "Schemas", template: "Templates", collection: "Collection settings", redirect: "Redirects" }[kind];
}

function describeItem(item: Comparison, receiver: "local" | "remote"): string {
  const { id, status, newer, isLikely, warning } = item;
  if (status === undefined) return `? ${id}  not compared`;
  const mark = `${marks[status]} ${id}`;
  if (status === "new") return `${mark}  new on ${receiver}`;
  if (status === "identical") return `${mark}  identical`;
  if (status === "receiver-only") return `${mark}  only on ${receiver}, untouched`;
  const times = [item.local && `local ${item.local}`, item.remote && `remote ${item.remote}`]
    .filter(Boolean)
    .join(", ");
  const hint = newer ? `, ${newer} ${isLikely ? "likely " : ""}newer${times ? ` (${times})` : ""}` : "";
  return `${mark}  differs${hint}${warning ? `  WARNING: ${warning}` : ""}`;
}

function nameOf({ collection, id }: ItemRef): string {
  return collection === undefined ? id : `${collection}/${id}`;
}
