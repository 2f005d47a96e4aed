// The operations on templates: list, get, create, replace, delete, and restore an earlier version.
// Templates are only text here; this file does not render them.

import { allow } from "#access/allow.ts";
import { audit } from "#access/audit.ts";
import { fail } from "#base/errors.ts";
import { react } from "#content/collection-hooks.ts";
import { withObjectFilesLock } from "#content/locks.ts";
import { checkTag, type Precondition, tagOf } from "#content/preconditions.ts";
import type { Context } from "#context.ts";
import { isJsonObject, type Json } from "#contract/json.ts";
import type { Template, TemplateFile, TemplateVersion } from "#contract/templates.ts";
import type { CairnEvent } from "#jobs/reactions.ts";
import { invalidate } from "#storage/invalidate.ts";
import { confirmTemplate } from "./confirm-template.ts";
import { addedFilterNames } from "./template/added-filters.ts";
import { storeTemplate } from "./template/store-template.ts";
import {
  checkTemplateId,
  listTemplateFiles,
  readTemplateFile,
  type StoredText,
  type TemplatePlace,
  templatePlace,
} from "./template-files.ts";
import { isVersion, listVersions, readVersion } from "./template-history.ts";
import { templateProblem } from "./template-syntax.ts";

const maxTemplateBytes = 500_000;

export interface TemplateAnswer {
  template: Template;
  /** Quoted, strong. */
  etag: string;
}

/** Whether the project keeps the templates in its own folder, outside the API. */
export function isGitManaged(ctx: Pick<Context, "settings">): boolean {
  return templatePlace(ctx.settings).isGitManaged;
}

/** `under`: only templates in this folder and below. */
export async function listTemplates(ctx: Context, under = ""): Promise<TemplateFile[]> {
  allow(ctx, "read", { kind: "templates" });
  const all = await listTemplateFiles(templatePlace(ctx.settings).folder);
  const prefix = under === "" ? "" : `${under.replace(/\/+$/, "")}/`;
  return all.filter(({ id }) => id.startsWith(prefix));
}

export async function getTemplate(ctx: Context, id: string): Promise<TemplateAnswer> {
  allow(ctx, "read", { kind: "templates" });
  const stored = await readTemplateFile(templatePlace(ctx.settings).folder, checkTemplateId(id));
  return stored ? answerTemplate(id, stored) : noTemplate(id);
}

export async function createTemplate(ctx: Context, body: Json): Promise<TemplateAnswer> {
  allow(ctx, "create", { kind: "templates" });
  const id = checkTemplateId(isJsonObject(body) ? body.id : undefined);
  return save(ctx, id, { text: await checkText(ctx, body, id), mustBeNew: true });
}

export interface SaveOptions extends Precondition {
  /** For sync: the time of the change at its source. */
  updated?: string | undefined;
}

/** Creates it, or replaces the one of the same id. */
export async function replaceTemplate(
  ctx: Context,
  id: string,
  body: Json,
  options: SaveOptions = {},
): Promise<TemplateAnswer & { isNew: boolean }> {
  allow(ctx, "update", { kind: "templates" });
  checkTemplateId(id);
  if (isJsonObject(body) && body.id !== undefined && body.id !== id) {
    fail("invalid", "The id in the body differs from the id in the path.", { id: [`must be "${id}" or left out`] });
  }
  return save(ctx, id, { text: await checkText(ctx, body, id), ...options });
}

export async function deleteTemplate(ctx: Context, id: string, { ifMatch }: SaveOptions = {}): Promise<void> {
  allow(ctx, "delete", { kind: "templates" });
  const { folder } = writablePlace(ctx);
  await inTurnOf(ctx, checkTemplateId(id), async () => {
    const stored = (await readTemplateFile(folder, id)) ?? noTemplate(id);
    checkIfMatch(ifMatch, stored);
    await storeTemplate(ctx, folder, { id, text: null, before: stored.text });
  });
  audit(ctx, { type: "template.deleted", details: { template: id } });
  await announceTemplate(ctx, { type: "template.deleted", template: id }, true);
}

/** Newest first; also of a template that has been deleted. */
export async function listTemplateVersions(ctx: Context, id: string): Promise<TemplateVersion[]> {
  allow(ctx, "read", { kind: "templates" });
  const versions = await listVersions(templatePlace(ctx.settings).folder, checkTemplateId(id));
  return versions.map((version) => ({ version, replaced: timeOf(version) }));
}

export async function getTemplateVersion(
  ctx: Context,
  id: string,
  version: string,
): Promise<TemplateVersion & { id: string; template: string }> {
  allow(ctx, "read", { kind: "templates" });
  const { text } = await findVersion(templatePlace(ctx.settings), checkTemplateId(id), version);
  return { id, version, replaced: timeOf(version), template: text };
}

/** The replaced text becomes a version itself, so nothing is lost. */
export async function restoreTemplate(ctx: Context, id: string, version: string): Promise<TemplateAnswer> {
  allow(ctx, "update", { kind: "templates" });
  const { text } = await findVersion(writablePlace(ctx), checkTemplateId(id), version);
  return save(ctx, id, { text });
}

async function findVersion({ folder }: TemplatePlace, id: string, version: string): Promise<StoredText> {
  const found = isVersion(version) ? await readVersion(folder, id, version) : undefined;
  return found ?? fail("not-found", `The template "${id}" has no version "${version}".`);
}

interface Save extends SaveOptions {
  text: string;
  mustBeNew?: boolean;
}

async function save(
  ctx: Context,
  id: string,
  { text, mustBeNew, ifMatch, updated }: Save,
): Promise<TemplateAnswer & { isNew: boolean }> {
  const { folder } = writablePlace(ctx);
  const saved = await inTurnOf(ctx, id, async () => {
    const before = await readTemplateFile(folder, id);
    if (before && mustBeNew) fail("exists", `There is a template "${id}" already.`, { id: ["is taken"] });
    checkIfMatch(ifMatch, before);
    if (before?.text !== text) await confirmTemplate(ctx, id, text);
    if (before?.text !== text || updated !== undefined)
      await storeTemplate(ctx, folder, { id, text, before: before?.text, updated });
    const stored = (await readTemplateFile(folder, id)) ?? noTemplate(id);
    return { ...answerTemplate(id, stored), isNew: before === undefined, isChanged: before?.text !== text };
  });
  // For imported templates the audit log records the import.
  if (saved.isChanged && updated === undefined) audit(ctx, { type: "template.saved", details: { template: id } });
  if (saved.isChanged) await announceTemplate(ctx, { type: "template.saved", template: id }, saved.isNew);
  return saved;
}

/** A template is a file, so its event has a transaction of its own. One that comes or goes may matter to any page. */
export function announceTemplate(ctx: Context, event: CairnEvent, isOther: boolean): Promise<void> {
  return ctx.storage.write(async (tx) => {
    await invalidate(tx, "templates", ctx.clock.iso());
    await react(ctx, tx, event);
    if (isOther) await react(ctx, tx, { type: "site.changed", part: "all" });
  });
}

/** Saving the old version and writing the new text belong together, on all nodes. */
function inTurnOf<T>(ctx: Context, id: string, work: () => Promise<T>): Promise<T> {
  return withObjectFilesLock(ctx, { collection: "builder", id }, async () => {
    await ctx.definitions?.follow();
    return work();
  });
}

function writablePlace(ctx: Context): TemplatePlace {
  const place = templatePlace(ctx.settings);
  if (place.isGitManaged) {
    fail("forbidden", "The templates are in the project's builder folder. Change them there.");
  }
  return place;
}

/** The text of a template, or of a file with one: `body.template`. Fails when it is not valid. */
export async function checkText(ctx: Context, body: Json, id: string): Promise<string> {
  if (id.startsWith("ext/"))
    fail("invalid", "Templates of extensions cannot be changed.", { id: ["must not begin with ext/"] });
  const text = isJsonObject(body) ? body.template : undefined;
  if (typeof text !== "string") fail("invalid", "A template must be text.", { template: ["must be text"] });
  const problem = templateTextProblem(text, id, await addedFilterNames(ctx));
  if (problem?.isTooLarge) fail("too-large", problem.message);
  if (problem) fail("invalid", "The template is not valid.", { template: [problem.message] });
  return text;
}

/** `id`: templates of pages know more tags and filters than those of mails. `filters`: names that extensions add. */
export function templateTextProblem(
  text: string,
  id = "",
  filters?: ReadonlySet<string>,
): { message: string; isTooLarge: boolean } | undefined {
  if (Buffer.byteLength(text) > maxTemplateBytes) {
    return { message: `A template may have at most ${maxTemplateBytes} bytes.`, isTooLarge: true };
  }
  const problem = text.includes("\0") ? "A template must be text." : templateProblem(text, id, filters);
  return problem === undefined ? undefined : { message: problem, isTooLarge: false };
}

function checkIfMatch(ifMatch: string | undefined, stored: StoredText | undefined): void {
  checkTag(ifMatch, ...(stored ? [tagOf(stored.text)] : []));
}

function answerTemplate(id: string, stored: StoredText): TemplateAnswer {
  const { text, size, updated } = stored;
  return { template: { id, template: text, size, updated }, etag: tagOf(text) };
}

/** `20301231-235959-2` as an ISO time. */
function timeOf(version: string): string {
  return version.replace(/^(\d{4})(\d{2})(\d{2})-(\d{2})(\d{2})(\d{2}).*$/, "$1-$2-$3T$4:$5:$6.000Z");
}

function noTemplate(id: string): never {
  fail("not-found", `There is no template "${id}".`);
}
