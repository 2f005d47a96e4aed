// Extensions as an administrator sees them: the list, one of them, enabling after a review, disabling. What was decided is
// stored, so that every process agrees before the answer is sent.

import { isAdminPersona, isLimitedKey, nameOf } from "#access/actor.ts";
import { allow } from "#access/allow.ts";
import { audit } from "#access/audit.ts";
import { requireRecentProof } from "#access/recent-proof.ts";
import { CairnError, fail, rateLimited } from "#base/errors.ts";
import { followKinds } from "#content/collections/follow-kinds.ts";
import { withSchemasLock } from "#content/locks.ts";
import type { Context } from "#context.ts";
import type { AuditType } from "#contract/audit.ts";
import type { Capability, ExtensionDetails, ExtensionLogLine, ExtensionRecord } from "#contract/extensions.ts";
import type { Json, JsonObject } from "#contract/json.ts";
import { type LogRow, listLogLines } from "#storage/tables/extensions/extension-log.ts";
import { type ExtensionRow, lockExtension, putExtension } from "#storage/tables/extensions/extensions.ts";
import { assetsBase } from "./assets.ts";
import { deprecationsOf } from "./deprecations.ts";
import { hashOfCode } from "./discover.ts";
import { readKinds } from "./kept/kept-kinds.ts";
import { bringsSchemas, readSchemas, schemasAfter, schemasProblem } from "./kept/kept-schemas.ts";
import { type Extension, forgetExtensions, isLeftOver, loadExtensions, openExtension } from "./load-extensions.ts";
import { noPermissions } from "./manifest/read-manifest.ts";
import { askedBy, beyond, capabilitiesOf, fingerprintOf } from "./review.ts";
import { blankRow } from "./rows.ts";
import { runtimeOf } from "./runtime.ts";
import { settingsProblem, settingsSchemaOf } from "./settings.ts";
import { usesOf } from "./uses.ts";

export async function listExtensions(ctx: Context): Promise<ExtensionRecord[]> {
  allow(ctx, "read", { kind: "extensions" });
  // New folders move no scope.
  forgetExtensions(ctx);
  const all = [...(await loadExtensions(ctx)).all.values()].filter((extension) => !isLeftOver(extension));
  return Promise.all(all.map((extension) => present(ctx, extension)));
}

export async function getExtension(ctx: Context, id: string): Promise<ExtensionDetails> {
  const extension = await openExtension(ctx, "read", id);
  return presentDetails(ctx, extension);
}

export interface Enabling {
  /** The fingerprint that was reviewed. */
  approve?: string | undefined;
  /** Capabilities by name: false switches one off. */
  switches?: Record<string, boolean> | undefined;
}

export async function enableExtension(
  ctx: Context,
  id: string,
  { approve, switches }: Enabling = {},
): Promise<ExtensionRecord> {
  const extension = await openExtension(ctx, "update", id);
  const { manifest, source } = extension;
  if (!manifest) return fail("invalid", `The extension cannot be enabled: ${extension.error}`);
  if (extension.state === "incompatible") return fail("conflict", extension.error ?? undefined);
  const fingerprint = fingerprintOf(manifest, source);
  if (approve !== undefined && approve !== fingerprint)
    fail("precondition-failed", "The extension has changed since it was reviewed. Review it again.");
  const needsReview = source !== "bundled" && beyond(manifest, source, extension.approval).length > 0;
  if (needsReview && approve === undefined)
    throw new CairnError("needs-review", undefined, {
      fingerprint: [fingerprint],
      difference: differenceOf(extension),
    });
  if (approve !== undefined) await requireReviewer(ctx);
  const kinds = await readKinds({ folder: extension.folder, manifest }, { isChecked: true });
  await followKinds(ctx);
  const read = await readSchemas({ folder: extension.folder, manifest }, { storage: ctx.storage, kinds: kinds.text });
  const problems = [...kinds.problems, ...read.problems];
  if (problems.length > 0) fail("invalid", `The extension cannot be enabled: ${problems.join(" ")}`);
  const approval = { fingerprint, capabilities: askedBy(manifest) };
  return decide(ctx, extension, "enabled", (row) => ({
    ...row,
    enabled: 1,
    error: null,
    quarantined: 0,
    kinds: manifest.contributes.fields.length > 0 ? kinds.text : row.kinds,
    ...(approve !== undefined && { approved: JSON.stringify(approval) }),
    switchedOff: JSON.stringify(switchedBy(extension, switches)),
  }));
}

export async function disableExtension(
  ctx: Context,
  id: string,
  { cascade = false }: { cascade?: boolean } = {},
): Promise<ExtensionRecord> {
  const extension = await openExtension(ctx, "update", id);
  const { live } = await loadExtensions(ctx);
  const needing = live.filter((one) => Object.hasOwn(one.manifest.requires.extensions, id));
  if (needing.length > 0 && !cascade)
    fail("in-use", `Others need it: ${needing.map((one) => one.id).join(", ")}. ?cascade=true disables them too.`);
  for (const one of needing) await disableExtension(ctx, one.id, { cascade });
  return decide(ctx, extension, "disabled", (row) => ({ ...row, enabled: 0, error: null, quarantined: 0 }));
}

/** Code that is approved runs with the rights of the server: a session with a fresh password, the command line, a key for all. */
export async function requireReviewer(ctx: Context): Promise<void> {
  const { actor } = ctx;
  if (actor.kind === "system" || (actor.kind === "key" && !isLimitedKey(actor))) return;
  if (actor.kind === "user" && isAdminPersona(actor)) return requireRecentProof(ctx);
  fail("forbidden", "An access token cannot approve an extension: review it in the admin, or by the command line.");
}

function switchedBy(extension: Extension, switches: Enabling["switches"]): string[] {
  const off = new Set(extension.switchedOff);
  const known = new Set(extension.manifest ? capabilitiesOf(extension.manifest).map(({ name }) => name) : []);
  for (const [name, isOn] of Object.entries(switches ?? {})) {
    if (!known.has(name))
      fail("invalid", "The switches are not valid.", { [`switches.${name}`]: ["is no capability of it"] });
    if (isOn) off.delete(name);
    else off.add(name);
  }
  return [...off].filter((name) => known.has(name));
}

export async function switchExtension(
  ctx: Context,
  id: string,
  switches: Record<string, boolean>,
): Promise<ExtensionRecord> {
  const extension = await openExtension(ctx, "update", id);
  const off = JSON.stringify(switchedBy(extension, switches));
  return decide(ctx, extension, "changed", (row) => ({ ...row, switchedOff: off }));
}

/** Loads its code again, also after a failure. */
export async function reloadExtension(ctx: Context, id: string): Promise<ExtensionRecord> {
  const extension = await openExtension(ctx, "update", id);
  await runtimeOf(ctx.storage).host.restart();
  return decide(ctx, extension, "changed", (row) => (row.quarantined === 1 ? row : { ...row, error: null }));
}

/** The last lines, oldest first; `after`: the id of the last one that is known. */
export async function readExtensionLog(ctx: Context, id: string, after: number): Promise<ExtensionLogLine[]> {
  await openExtension(ctx, "read", id);
  await runtimeOf(ctx.storage).notes.flush(ctx);
  return (await listLogLines(ctx.storage, id, after)).map(presentLine);
}

const reportsInWindow = 20;
const maxReport = 2_000;

/** From the admin: an element that could not be loaded, or threw. Any user may meet one. */
export async function reportExtension(ctx: Context, id: string, report: JsonObject): Promise<void> {
  const { actor, storage, limiter, clock } = ctx;
  if (actor.kind !== "user" && !isAdminPersona(actor))
    fail(actor.kind === "anonymous" ? "unauthenticated" : "forbidden");
  const { message, name = "" } = report;
  if (typeof message !== "string" || message === "") fail("invalid", undefined, { message: ["must be text"] });
  if (typeof name !== "string") fail("invalid", undefined, { name: ["must be text"] });
  const found = (await loadExtensions(ctx)).live.some((one) => one.id === id);
  if (!found) fail("not-found", `There is no extension "${id}".`);
  if (limiter.count(`extension report ${nameOf(actor)}`, reportsInWindow).remaining < 0)
    throw rateLimited(limiter.windowEnd() - clock.now());
  const text = `In the admin${name === "" ? "" : `, ${name.slice(0, 100)}`}: ${message.slice(0, maxReport)}`;
  runtimeOf(storage).notes.log(ctx, id, { level: "error", text, data: { by: nameOf(actor) } });
}

async function decide(
  ctx: Context,
  extension: Extension,
  what: "enabled" | "disabled" | "changed",
  change: (row: ExtensionRow) => ExtensionRow,
): Promise<ExtensionRecord> {
  const { id } = extension;
  const blank = blankRow(id, { enabled: extension.enabled ? 1 : 0 });
  const store = async (schemas?: string): Promise<void> =>
    ctx.storage.write(async (tx) => {
      const row = (await lockExtension(tx, id)) ?? blank;
      await putExtension(tx, { ...change(row), ...(schemas !== undefined && { schemas }), updated: ctx.clock.iso() });
      if (what !== "changed") await ctx.reactions.run(tx, { type: `extension.${what}`, extension: id }, ctx.cause);
    });
  if (!bringsSchemas(extension)) await store();
  else
    await withSchemasLock(ctx, async () => store(await schemasAfter(ctx, extension, change(extension.row ?? blank))));
  const type: AuditType = `extension.${what}`;
  audit(ctx, { type, details: { extension: id } });
  await followKinds(ctx);
  // Nothing of the code before stays in memory.
  const { all, generation } = await loadExtensions(ctx);
  await runtimeOf(ctx.storage).host.follow(generation);
  return present(ctx, all.get(id) ?? extension);
}

export async function present(ctx: Context, extension: Extension): Promise<ExtensionRecord> {
  const { id, manifest, source, enabled, state, error, switchedOff } = extension;
  return {
    id,
    name: manifest?.name ?? id,
    version: manifest?.version ?? "",
    description: manifest?.description ?? "",
    author: manifest?.author?.name ?? "",
    source,
    runtime: manifest?.runtime ?? "node",
    api: manifest?.api ?? 1,
    enabled,
    state,
    error: error ?? (await settingsProblem(ctx, extension)) ?? schemasProblem(ctx, extension) ?? null,
    capabilities: capabilities(extension, switchedOff),
    permissions: manifest?.permissions ?? noPermissions,
    settings: manifest?.settingsSchema !== undefined,
    assetsBase: await assetsBase(extension),
    deprecations: manifest ? await deprecationsOf(extension) : [],
    stats: runtimeOf(ctx.storage).stats.of(id),
  };
}

function capabilities({ manifest }: Extension, switchedOff: ReadonlySet<string>): Capability[] {
  if (!manifest) return [];
  return capabilitiesOf(manifest).map((one) => ({ ...one, on: !switchedOff.has(one.name) }));
}

/** In sentences, where there are some. */
function differenceOf({ manifest, source, approval }: Extension): string[] {
  if (!manifest) return [];
  const sentences = new Map(capabilitiesOf(manifest).map(({ name, about }) => [name, about]));
  return beyond(manifest, source, approval).map((name) => sentences.get(name) ?? name);
}

async function presentDetails(ctx: Context, extension: Extension): Promise<ExtensionDetails> {
  const { id, manifest, source, approval, files, bytes } = extension;
  const more = new Set(manifest ? beyond(manifest, source, approval) : []);
  const record = await present(ctx, extension);
  const lines = await listLogLines(ctx.storage, id, 0);
  return {
    ...record,
    manifest: extension.raw ?? null,
    settingsSchema: (await settingsSchemaOf(extension).catch(() => undefined)) ?? null,
    fingerprint: manifest ? fingerprintOf(manifest, source) : "",
    approved: approval?.fingerprint ?? null,
    difference: source === "bundled" ? [] : record.capabilities.filter(({ name }) => more.has(name)),
    code: { files: files.size, bytes, hash: files.size > 0 ? await hashOfCode(extension) : "" },
    reviewNote: manifest?.reviewNote ?? null,
    hidden: extension.hidden,
    uses: await usesOf(ctx, id),
    errors: lines.filter(({ crash }) => crash === 1).map(presentLine),
  };
}

function presentLine({ id, at, level, text, data }: LogRow): ExtensionLogLine {
  return { id: Number(id), at, level: level as ExtensionLogLine["level"], text, data: JSON.parse(data) as Json };
}
