// Extensions as an administrator sees them: the list, one of them, enabling after a review, disabling. What was decided is
// stored, so that every process agrees before the answer is sent.

import { isAdminPersona, isLimitedKey } from "#access/actor.ts";
import { allow } from "#access/allow.ts";
import { audit } from "#access/audit.ts";
import { requireRecentProof } from "#access/recent-proof.ts";
import { CairnError, fail } from "#base/errors.ts";
import type { Context } from "#context.ts";
import type { AuditType } from "#contract/audit.ts";
import type { Operation } from "#contract/collections.ts";
import type { Capability, ExtensionDetails, ExtensionRecord } from "#contract/extensions.ts";
import { listLogLines } from "#storage/tables/extensions/extension-log.ts";
import { type ExtensionRow, lockExtension, putExtension } from "#storage/tables/extensions/extensions.ts";
import { assetsBase } from "./assets.ts";
import { hashOfCode } from "./discover.ts";
import { type Extension, forgetExtensions, loadExtensions } from "./load-extensions.ts";
import { askedBy, beyond, capabilitiesOf, fingerprintOf } from "./review.ts";
import { blankRow } from "./rows.ts";
import { runtimeOf } from "./runtime.ts";
import { settingsSchemaOf } from "./settings.ts";

const noPermissions = { collections: {}, hosts: [], mail: false, files: false, jobs: false, print: false };

export async function listExtensions(ctx: Context): Promise<ExtensionRecord[]> {
  allow(ctx, "read", { kind: "extensions" });
  // New folders move no scope.
  forgetExtensions(ctx);
  return Promise.all([...(await loadExtensions(ctx)).all.values()].map((extension) => present(ctx, extension)));
}

export async function getExtension(ctx: Context, id: string): Promise<ExtensionDetails> {
  const extension = await openExtension(ctx, "read", id);
  return presentDetails(ctx, extension);
}

/** First line of every operation on one extension. */
export async function openExtension(ctx: Context, operation: Operation, id: string): Promise<Extension> {
  allow(ctx, operation, { kind: "extensions" });
  forgetExtensions(ctx);
  return (await loadExtensions(ctx)).all.get(id) ?? fail("not-found", `There is no extension "${id}".`);
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
  const approval = { fingerprint, capabilities: askedBy(manifest) };
  return decide(ctx, extension, "enabled", (row) => ({
    ...row,
    enabled: 1,
    error: null,
    quarantined: 0,
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
async function requireReviewer(ctx: Context): Promise<void> {
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

async function decide(
  ctx: Context,
  extension: Extension,
  what: "enabled" | "disabled" | "changed",
  change: (row: ExtensionRow) => ExtensionRow,
): Promise<ExtensionRecord> {
  const { id } = extension;
  await ctx.storage.write(async (tx) => {
    const row = (await lockExtension(tx, id)) ?? blankRow(id, { enabled: extension.enabled ? 1 : 0 });
    await putExtension(tx, { ...change(row), updated: ctx.clock.iso() });
    if (what !== "changed") await ctx.reactions.run(tx, { type: `extension.${what}`, extension: id }, ctx.cause);
  });
  const type: AuditType = `extension.${what}`;
  audit(ctx, { type, details: { extension: id } });
  // Nothing of the code before stays in memory.
  const { all, generation } = await loadExtensions(ctx);
  await runtimeOf(ctx.storage).host.follow(generation);
  return present(ctx, all.get(id) ?? extension);
}

export async function present({ storage }: Context, extension: Extension): Promise<ExtensionRecord> {
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
    error,
    capabilities: capabilities(extension, switchedOff),
    permissions: manifest?.permissions ?? noPermissions,
    settings: manifest?.settingsSchema !== undefined,
    assetsBase: await assetsBase(extension),
    deprecations: [],
    stats: runtimeOf(storage).stats.of(id),
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
    uses: { properties: [], pages: [], forms: [] },
    errors: lines
      .filter(({ crash }) => crash === 1)
      .map(({ id: line, at, level, text, data }) => ({
        id: line,
        at,
        level: level as "error",
        text,
        data: JSON.parse(data),
      })),
  };
}
