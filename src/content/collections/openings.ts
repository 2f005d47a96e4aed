// What a change of a collection's settings opens to others, and which callers may do so: the admin persona, or callers
// with the same right on its objects. Everything that writes settings is checked here.

import { isDeepStrictEqual } from "node:util";
import { isInGroup } from "#access/accounts.ts";
import { isAdminPersona } from "#access/actor.ts";
import { hasCredentialFor, isAllowed } from "#access/allow.ts";
import { audit } from "#access/audit.ts";
import { parseDuration } from "#base/durations.ts";
import { type ErrorDetails, fail } from "#base/errors.ts";
import type { Context } from "#context.ts";
import { type CollectionConfig, type Operation, operations } from "#contract/collections.ts";
import type { FormDefinition } from "#contract/forms.ts";
import { type HistoryMode, historyModes } from "#contract/history.ts";
import { isJsonObject, type Json } from "#contract/json.ts";
import { readForms } from "./form-settings.ts";

type FieldSettings = "properties" | "customProperties";

export interface Opening {
  property:
    | "publicOperations"
    | "publicFiles"
    | "onSite"
    | "url"
    | "groups"
    | "mcp.access"
    | "sitemap"
    | "schema"
    | "draft"
    | "forms"
    | "history"
    | FieldSettings;
  /** For the audit log: the new operations, groups or access. */
  opened: string[];
  /** The operations on objects that it opens. */
  operations: readonly Operation[];
  /** Groups whose members alone had access before. */
  members: readonly string[];
}

const reading: readonly Operation[] = ["read"];
/** Settings that keep files, or the stored bytes of pictures, from callers that may read the objects. */
const fileGuards = [
  "protectedByCollection",
  "fileProtectedByCollection",
  "videoProtectedByCollection",
  "watermark",
] as const;
const accesses = ["admin", "authenticated", "public"];

/** `before`: undefined when the collection is new. */
export function findOpenings(before: CollectionConfig | undefined, after: CollectionConfig): Opening[] {
  const openings: Opening[] = [];
  const old = before?.publicOperations ?? [];
  const added = operations.filter((word) => after.publicOperations.includes(word) && !old.includes(word));
  if (added.length > 0) openings.push({ property: "publicOperations", opened: added, operations: added, members: [] });
  const isFilesChange = before?.publicFiles !== after.publicFiles;
  if (isFilesChange && filesLevel(after) > (before ? filesLevel(before) : 0))
    openings.push({ property: "publicFiles", opened: ["files"], operations: reading, members: [] });
  const siteOpening = findSiteOpening(before, after);
  if (siteOpening) openings.push({ property: siteOpening, opened: ["site"], operations: reading, members: [] });
  const members = before?.groups ?? [];
  const joined = after.groups.filter((group) => !members.includes(group));
  if (members.length > 0 && (joined.length > 0 || after.groups.length === 0))
    openings.push({ property: "groups", opened: joined.length > 0 ? joined : ["all"], operations: reading, members });
  const access = accessOf(after);
  if (accesses.indexOf(access) > accesses.indexOf(before ? accessOf(before) : "admin"))
    openings.push({ property: "mcp.access", opened: [access], operations: reading, members: [] });
  if (isSitemapOpened(before, after))
    openings.push({ property: "sitemap", opened: ["addresses"], operations: reading, members: [] });
  const opened = newForms(before, after);
  if (opened.length > 0) openings.push({ property: "forms", opened, operations: ["create"], members: [] });
  if (before) openings.push(...findReadings(before, after));
  if (before && keepsLess(before.history, after.history))
    openings.push({ property: "history", opened: ["less"], operations: ["delete"], members: [] });
  return openings;
}

/** Less history deletes old values and the trash, and hides what follows. Without a setting it may be anything. */
function keepsLess(before: Json | undefined, after: Json | undefined): boolean {
  if (isDeepStrictEqual(before ?? null, after ?? null)) return false;
  const [old, now] = [ownHistory(before), ownHistory(after)];
  const rank = (mode: Json | undefined, unknown: HistoryMode) =>
    historyModes.indexOf(historyModes.find((known) => known === mode) ?? unknown);
  if (rank(now.mode, "off") < rank(old.mode, "full")) return true;
  const amount = (value: Json | undefined) =>
    typeof value === "string" ? parseDuration(value) : typeof value === "number" ? value : undefined;
  return ["versions", "keep", "trash"].some((name) => {
    const [was, is] = [amount(old[name]), amount(now[name])];
    return is !== undefined && (was === undefined || is < was);
  });
}

function ownHistory(history: Json | undefined): Record<string, Json | undefined> {
  return isJsonObject(history) ? history : { mode: history };
}

/** Forms that take more than they did, or that were not there. */
function newForms(before: CollectionConfig | undefined, after: CollectionConfig): string[] {
  if (after.forms === undefined) return [];
  const old = before ? readForms(before) : new Map<string, FormDefinition>();
  const isWider = (name: string, form: FormDefinition) => {
    const known = old.get(name);
    if (!form.enabled) return false;
    if (!known?.enabled || (known.access === "user" && form.access === "public")) return true;
    const taken = [...known.fields, ...Object.keys(known.files)];
    return [...form.fields, ...Object.keys(form.files)].some((field) => !taken.includes(field));
  };
  return [...readForms(after)].filter(([name, form]) => isWider(name, form)).map(([name]) => name);
}

/** Under a different schema drafts may count as published; other settings of fields may unlock files. */
function findReadings(before: CollectionConfig, after: CollectionConfig): Opening[] {
  const { groups: members } = before;
  const openings: Opening[] = [];
  if (before.schema !== after.schema)
    openings.push({ property: "schema", opened: [after.schema], operations: reading, members });
  for (const property of ["properties", "customProperties"] as const) {
    if (isDeepStrictEqual(guardsIn(before[property]), guardsIn(after[property]))) continue;
    openings.push({ property, opened: ["files"], operations: ["read", "update"], members });
  }
  return openings;
}

/** The settings that guard files, each by its path. */
export function guardsIn(settings: Json | undefined, path = ""): Record<string, Json> {
  if (!isJsonObject(settings)) return {};
  const guards = fileGuards.filter((name) => Object.hasOwn(settings, name));
  const own = guards.map((name) => [`${path}/${name}`, settings[name] ?? null] as const);
  const below = Object.entries(settings).map(([name, value]) => guardsIn(value, `${path}/${name}`));
  return Object.assign(Object.fromEntries(own), ...below);
}

/** A sitemap shows the addresses of objects publicly, and an address may contain any property. */
function isSitemapOpened(before: CollectionConfig | undefined, after: CollectionConfig): boolean {
  if (after.sitemap?.enabled !== true || after.publicOperations.includes("read")) return false;
  const shown = ({ sitemap, url }: CollectionConfig) => [sitemap ?? null, url];
  return !before || !isDeepStrictEqual(shown(before), shown(after));
}

/** Templates may read what is on the site. The first address of a collection puts it there, unless its setting says otherwise. */
function findSiteOpening(before: CollectionConfig | undefined, after: CollectionConfig): "onSite" | "url" | undefined {
  if (after.publicOperations.includes("read") || (before && isOnSite(before))) return undefined;
  if (after.onSite === true) return "onSite";
  return before && isOnSite(after) ? "url" : undefined;
}

function isOnSite({ onSite, publicOperations, url }: CollectionConfig): boolean {
  return onSite ?? (publicOperations.includes("read") || url !== "");
}

/** When set, files of all types are public; otherwise images are where the objects are. */
function filesLevel({ publicFiles, publicOperations }: CollectionConfig): number {
  if (publicFiles === true) return 2;
  return (publicFiles ?? publicOperations.includes("read")) ? 1 : 0;
}

function accessOf({ mcp }: CollectionConfig): string {
  return isJsonObject(mcp) && typeof mcp.access === "string" ? mcp.access : "admin";
}

/** Fails with every property that this caller may not open. */
export async function allowOpenings(ctx: Context, collection: string, openings: readonly Opening[]): Promise<void> {
  const { actor } = ctx;
  const details: ErrorDetails = {};
  for (const { property, operations: needed, members } of openings) {
    const subject = { kind: "objects", collection, publicOperations: [] } as const;
    const missing = needed.filter(
      (operation) => !isAllowed(actor, operation, subject) || !hasCredentialFor(actor, operation),
    );
    if (missing.length > 0) details[property] = [`takes ${missing.join(", ")} on the objects of "${collection}"`];
    else if (members.length > 0 && !isAdminPersona(actor) && !(await isInGroup(ctx, actor, members)))
      details[property] = [`takes a member of ${members.join(", ")}`];
  }
  const names = Object.keys(details);
  if (names.length === 0) return;
  fail("forbidden", `You may not open more than you may do yourself: ${names.join(", ")}.`, details);
}

/** After the commit. */
export function auditOpenings(ctx: Context, collection: string, openings: readonly Opening[]): void {
  if (openings.length === 0) return;
  const opened = Object.fromEntries(openings.map(({ property, opened: what }) => [property, what]));
  audit(ctx, { type: "collection.opened", details: { collection, opened } });
}
