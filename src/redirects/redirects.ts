// Redirects of the website as the API and the command line manage them: for the admin persona and the builder right.

import { allow } from "#access/allow.ts";
import { audit } from "#access/audit.ts";
import { fail } from "#base/errors.ts";
import { uuid } from "#base/ids.ts";
import { react } from "#content/collection-hooks.ts";
import type { Context } from "#context.ts";
import type { Operation } from "#contract/collections.ts";
import { isJsonObject, type Json } from "#contract/json.ts";
import type { Redirect, RedirectImport, RedirectOrigin, RedirectStatus } from "#contract/redirects.ts";
import { lockName } from "#storage/name-locks.ts";
import type { Tx } from "#storage/port.ts";
import {
  deleteRedirectRow,
  findRedirectRow,
  findRedirectRows,
  type NewRedirect,
  pageRedirects,
  putRedirects,
  type RedirectRow,
} from "#storage/tables/site/redirects.ts";
import { redirectTable } from "./find-redirect.ts";
import { checkRedirect, type ParsedRedirect, parseRedirects } from "./parse-redirects.ts";
import { flushHits } from "./redirect-hits.ts";
import { type PlannedRedirect, planRedirects, type RedirectPlan } from "./redirect-plan.ts";

/** All are in the memory of each process. */
const maxRedirects = 50_000;
const maxErrors = 1_000;

function allowRedirects(ctx: Context, operation: Operation): void {
  allow(ctx, operation, { kind: "templates" });
}

export interface RedirectsAsked {
  limit: number;
  /** From the answer before. */
  cursor?: string | undefined;
  /** In source or target. */
  search?: string | undefined;
  origin?: string | undefined;
}

/** In order of source. */
export async function listRedirects(
  ctx: Context,
  { limit, cursor, search, origin }: RedirectsAsked,
): Promise<{ redirects: Redirect[]; total: number; next: string | undefined }> {
  allowRedirects(ctx, "read");
  const after = cursor === undefined ? "" : readCursor(cursor);
  await flushHits(ctx);
  const words = search?.trim().toLowerCase() ?? "";
  const { all } = await redirectTable(ctx);
  const matching = all.filter(
    (one) =>
      (origin === undefined || one.origin === origin) &&
      (words === "" || one.source.toLowerCase().includes(words) || one.target.toLowerCase().includes(words)),
  );
  const rest = after === "" ? matching : matching.filter(({ source }) => source > after);
  const page = rest.slice(0, limit).map(({ source }) => source);
  const last = page.at(-1);
  const next = rest.length > limit && last !== undefined ? Buffer.from(last).toString("base64url") : undefined;
  const rows = await findRedirectRows(ctx.storage, page);
  return { redirects: rows.map(present), total: matching.length, next };
}

function readCursor(cursor: string): string {
  const source = Buffer.from(cursor, "base64url").toString();
  if (!source.startsWith("/") || source.includes("\0"))
    fail("invalid", "cursor is not one that was given for this list.", { cursor: ["is not valid"] });
  return source;
}

export async function* exportRedirects(ctx: Context): AsyncGenerator<Redirect[]> {
  allowRedirects(ctx, "read");
  await flushHits(ctx);
  for await (const rows of pageRedirects(ctx.storage)) yield rows.map(present);
}

export async function createRedirect(ctx: Context, body: Json): Promise<Redirect> {
  allowRedirects(ctx, "create");
  const input = readBody(body);
  const id = await change(ctx, async (plan) => {
    if (plan.find(input.source))
      refuse("source", `There is a redirect from ${input.source} already. Change or delete that one.`, "exists");
    return put(ctx, plan, { ...input, origin: "manual" });
  });
  audit(ctx, { type: "redirects.changed", details: { redirect: id } });
  return getRedirect(ctx, id);
}

export async function replaceRedirect(ctx: Context, id: string, body: Json): Promise<Redirect> {
  allowRedirects(ctx, "update");
  const input = readBody(body);
  await change(ctx, async (plan, tx) => {
    const row = (await findRedirectRow(tx, id)) ?? noRedirect(id);
    const other = row.source === input.source ? undefined : plan.find(input.source);
    if (other) refuse("source", `There is a redirect from ${input.source} already.`, "exists");
    if (row.source !== input.source) {
      plan.remove(row.source);
      await deleteRedirectRow(tx, id);
    }
    return put(ctx, plan, { ...input, origin: "manual", id, created: row.created });
  });
  audit(ctx, { type: "redirects.changed", details: { redirect: id } });
  return getRedirect(ctx, id);
}

export async function deleteRedirect(ctx: Context, id: string): Promise<void> {
  allowRedirects(ctx, "delete");
  const deleted = await ctx.storage.write(async (tx) => {
    await lockName(tx, "redirects");
    await react(ctx, tx, { type: "site.changed", part: "all" });
    return deleteRedirectRow(tx, id);
  });
  if (!deleted) noRedirect(id);
  audit(ctx, { type: "redirects.changed", details: { redirect: id, deleted: true } });
}

export interface ImportOptions {
  isDryRun: boolean;
  /** Store the lines that are right although others are wrong. */
  skipsErrors: boolean;
}

/** One that has the source of a line already is replaced. */
export async function importRedirects(ctx: Context, text: string, options: ImportOptions): Promise<RedirectImport> {
  allowRedirects(ctx, "create");
  allowRedirects(ctx, "update");
  const { redirects, errors: unread } = parseRedirects(text);
  const errors = [...unread];
  const counts = { created: 0, updated: 0, unchanged: 0 };
  const isRefused = () => errors.length > 0 && !options.skipsErrors;
  const attempt = async (plan: Plan) => {
    // The transaction may run again.
    const found = { created: 0, updated: 0, unchanged: 0, errors: [] as typeof errors };
    for (const one of redirects) putLine(plan, one, found);
    Object.assign(counts, { created: found.created, updated: found.updated, unchanged: found.unchanged });
    errors.splice(0, errors.length, ...unread, ...found.errors);
    return !(options.isDryRun || isRefused());
  };
  await change(ctx, attempt);
  const sorted = errors.sort((a, b) => a.line - b.line).slice(0, maxErrors);
  if (isRefused() && !options.isDryRun) failImport(sorted, errors.length);
  if (!options.isDryRun)
    audit(ctx, { type: "redirects.changed", details: { imported: counts.created + counts.updated } });
  return { ...counts, isDryRun: options.isDryRun, errors: sorted };

  function putLine(
    plan: Plan,
    { line, ...one }: ParsedRedirect,
    found: typeof counts & { errors: typeof errors },
  ): void {
    const before = plan.find(one.source);
    const isSame = before?.target === one.target && before.status === one.status;
    const problem = isSame ? undefined : plan.put(newRow(one, "import", before));
    if (problem !== undefined) found.errors.push({ line, message: problem });
    else found[isSame ? "unchanged" : before ? "updated" : "created"] += 1;
  }

  function newRow(one: PlannedRedirect, origin: RedirectOrigin, before?: NewRedirect) {
    const now = ctx.clock.iso();
    return { ...one, origin, id: before?.id ?? uuid(), created: before?.created ?? now, updated: now };
  }
}

function failImport(errors: { line: number; message: string }[], total: number): never {
  const details = Object.fromEntries(errors.map(({ line, message }) => [`line ${line}`, [message]]));
  fail("invalid", `${total} ${total === 1 ? "line is" : "lines are"} wrong, so nothing was imported.`, details);
}

type Plan = RedirectPlan<NewRedirect & PlannedRedirect>;

/** Plans over all redirects under one lock. What the plan has changed is stored, unless `work` returns false. */
function change<T>(ctx: Context, work: (plan: Plan, tx: Tx) => Promise<T>): Promise<T> {
  return ctx.storage.write((tx) => changeIn(ctx, tx, work));
}

async function changeIn<T>(ctx: Context, tx: Tx, work: (plan: Plan, tx: Tx) => Promise<T>): Promise<T> {
  await lockName(tx, "redirects");
  const stored: (NewRedirect & PlannedRedirect)[] = [];
  for await (const rows of pageRedirects(tx))
    stored.push(...rows.map((row) => ({ ...row, status: row.status as RedirectStatus })));
  const plan = planRedirects(stored);
  const result = await work(plan, tx);
  if (result === false) return result;
  if (plan.size > maxRedirects) fail("invalid", `There can be at most ${maxRedirects} redirects. Delete some first.`);
  const changed = plan.changed();
  await putRedirects(tx, changed);
  if (changed.length > 0) await react(ctx, tx, { type: "site.changed", part: "all" });
  return result;
}

export interface StoredRedirect {
  source: string;
  done: "created" | "updated" | "unchanged" | "skipped";
  problem?: string;
}

/** Those of a definition, in its transaction. `replaces`: also those that have the source already. */
export function storeRedirects(
  ctx: Context,
  tx: Tx,
  { redirects, replaces }: { redirects: readonly PlannedRedirect[]; replaces: boolean },
): Promise<StoredRedirect[]> {
  return changeIn(ctx, tx, async (plan) => {
    const now = ctx.clock.iso();
    return redirects.map((one): StoredRedirect => {
      const { source, target, status } = one;
      const before = plan.find(source);
      if (before && !replaces) return { source, done: "skipped" };
      if (before?.target === target && before.status === status) return { source, done: "unchanged" };
      const row = { ...one, origin: "import", id: before?.id ?? uuid(), created: before?.created ?? now, updated: now };
      const problem = plan.put(row);
      return { source, done: before ? "updated" : "created", ...(problem !== undefined && { problem }) };
    });
  });
}

function put(
  ctx: Context,
  plan: Plan,
  input: PlannedRedirect & { origin: RedirectOrigin; id?: string; created?: string },
): string {
  const now = ctx.clock.iso();
  const row = { ...input, id: input.id ?? uuid(), created: input.created ?? now, updated: now };
  const problem = plan.put(row);
  if (problem !== undefined) refuse("target", `The redirect ${problem}.`);
  return row.id;
}

function readBody(body: Json): PlannedRedirect {
  if (!isJsonObject(body)) fail("invalid", "The body must be an object with source, target and status.");
  const { source = "", target = "", status = 301 } = body;
  if (typeof source !== "string") refuse("source", "must be text");
  if (typeof target !== "string") refuse("target", "must be text");
  if (typeof status !== "number") refuse("status", "must be a number");
  const unknown = Object.keys(body).find((name) => !known.has(name));
  if (unknown !== undefined) refuse(unknown, "is not a property of a redirect");
  const checked = checkRedirect({ source, target, status });
  if (!("problem" in checked)) return checked;
  const [property = "", ...rest] = checked.problem.split(" ");
  return refuse(property, rest.join(" "));
}

/** What is only read may come back as it was read. */
const known = new Set([
  "source",
  "target",
  "status",
  "id",
  "origin",
  "hits",
  "last",
  "created",
  "updated",
  "csrf_token",
]);

function refuse(property: string, problem: string, word: "invalid" | "exists" = "invalid"): never {
  const message = problem.endsWith(".") ? problem : `The ${property} ${problem}.`;
  fail(word, message, { [property]: [problem] });
}

async function getRedirect(ctx: Context, id: string): Promise<Redirect> {
  return present((await findRedirectRow(ctx.storage, id)) ?? noRedirect(id));
}

function present({ targetPath: _path, ...row }: RedirectRow): Redirect {
  return { ...row, status: row.status as RedirectStatus, origin: row.origin as RedirectOrigin, hits: Number(row.hits) };
}

function noRedirect(id: string): never {
  fail("not-found", `There is no redirect "${id.slice(0, 100)}".`);
}
