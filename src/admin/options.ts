// What a form offers to choose from: values of a property, and things of the installation. Each source takes the right to
// read its things.

import { listGroups } from "#access/access-groups.ts";
import { fail } from "#base/errors.ts";
import { createPause } from "#base/event-loop.ts";
import { foldCase } from "#base/text.ts";
import { listCollections } from "#content/collections/collections.ts";
import { listSchemas } from "#content/collections/schemas.ts";
import { findText, type Params, readWhole, refuse } from "#content/query/parameters.ts";
import { listValues } from "#content/query/values.ts";
import type { Context } from "#context.ts";
import { type Option, type OptionSource, optionSources } from "#contract/admin.ts";
import { listViews } from "#data-views/views.ts";
import { listTemplates } from "#site/templates.ts";

export const optionLimit = { default: 50, max: 1_000 } as const;

export async function listOptions(ctx: Context, source: string, params: Params): Promise<Option[]> {
  // Also where the public may read.
  if (ctx.actor.kind === "anonymous") fail("unauthenticated");
  const known = optionSources.find((each) => each === source);
  if (!known) fail("not-found", `There is no such source of options. There are: ${optionSources.join(", ")}.`);
  const limit = Math.min(readWhole(params, "limit", { least: 1, fallback: optionLimit.default }), optionLimit.max);
  const search = findText(params, "search") ?? "";
  if (known === "values") return valuesOf(ctx, params, { search, limit });
  return chosen(await sources[known](ctx), search).slice(0, limit);
}

async function valuesOf(ctx: Context, params: Params, { search, limit }: { search: string; limit: number }) {
  const required = (name: string) =>
    findText(params, name) ?? refuse(name, `${name} is required for the values of a property.`);
  const wanted = { collection: required("collection"), property: required("property"), search, limit };
  return (await listValues(ctx, wanted)).map(({ value, count }) => ({ value, label: value, count }));
}

const sources: Record<Exclude<OptionSource, "values">, (ctx: Context) => Option[] | Promise<Option[]>> = {
  groups: async (ctx) => (await listGroups(ctx)).map(({ id }) => ({ value: id, label: id })),
  timezones: () => timezones(),
  locales: () => languages(),
  collections: async (ctx) =>
    (await listCollections(ctx)).map(({ name, title, count }) => ({ value: name, label: title, count })),
  schemas: async (ctx) => (await listSchemas(ctx)).map(({ name, title }) => ({ value: name, label: title || name })),
  views: async (ctx) => (await listViews(ctx)).map(({ id, name }) => ({ value: id, label: name || id })),
  templates: async (ctx) => (await listTemplates(ctx)).map(({ id }) => ({ value: id, label: id })),
};

/** Made on first use, and kept. */
let zones: Option[] | undefined;
let tongues: Promise<Option[]> | undefined;

function timezones(): Option[] {
  const names = () => new Set(["UTC", ...Intl.supportedValuesOf("timeZone")]);
  zones ??= [...names()].map((zone) => ({ value: zone, label: zone.replaceAll("_", " ") }));
  return zones;
}

function languages(): Promise<Option[]> {
  tongues ??= nameLanguages();
  return tongues;
}

/** Every language of two letters that has a name, in English and in itself. Names are slow to get. */
async function nameLanguages(): Promise<Option[]> {
  const letters = [..."abcdefghijklmnopqrstuvwxyz"];
  const english = new Intl.DisplayNames(["en"], { type: "language", fallback: "none" });
  const found: Option[] = [];
  const pause = createPause();
  for (const code of letters.flatMap((first) => letters.map((second) => first + second))) {
    const [canonical] = Intl.getCanonicalLocales(code);
    const name = canonical === code ? english.of(code) : undefined;
    if (name === undefined) continue;
    const own = new Intl.DisplayNames([code], { type: "language" }).of(code);
    found.push({ value: code, label: own === undefined || own === name ? name : `${name} (${own})` });
    await pause();
  }
  return found.sort((a, b) => (a.label < b.label ? -1 : 1));
}

function chosen(options: Option[], search: string): Option[] {
  const wanted = foldCase(search.trim());
  if (wanted === "") return options;
  return options.filter(({ value, label }) => foldCase(`${value}\n${label}`).includes(wanted));
}
