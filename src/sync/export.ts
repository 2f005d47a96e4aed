// The export for sync: custom schemas, templates, settings of collections, objects of the feature collections.
// It never holds files, passwords, users, keys or settings of the installation.

import { allow } from "#access/allow.ts";
import { fail } from "#base/errors.ts";
import { findCollection } from "#content/collections/collection-cache.ts";
import { fillSettings } from "#content/collections/collection-settings.ts";
import { storedDocument } from "#content/objects/stored-document.ts";
import type { Context } from "#context.ts";
import { reservedCollections } from "#contract/collections.ts";
import type { JsonObject } from "#contract/json.ts";
import { longAnswer } from "#lanes/caller.ts";
import { customSchemaIds, findRawSchema } from "#schemas/find-schema.ts";
import { listTemplateFiles, readTemplateFile, templatePlace } from "#site/template-files.ts";
import { listCollectionRows } from "#storage/tables/collections.ts";
import { iterateObjects } from "#storage/tables/objects.ts";
import { type Fingerprint, fingerprints } from "./compare.ts";
import { type Definition, emptyDefinition, type Identified, type ObjectItem, type TemplateItem } from "./definition.ts";
import { ownedBy, withoutLocal } from "./receiver-owned.ts";
import { carriesSettings, featureCollections, features, seedingRefusal } from "./rules.ts";
import { isWanted, type Seeds, type Selection, type Wanted } from "./selection.ts";

const batchSize = 200;

export async function exportSync(ctx: Context, selection: Selection): Promise<Definition> {
  allow(ctx, "read", { kind: "sync" });
  const objects: ObjectItem[] = [];
  for (const feature of features) {
    const wanted = selection[feature];
    if (wanted) for await (const item of objectsOf(ctx, featureCollections[feature], wanted)) objects.push(item);
  }
  return {
    ...emptyDefinition("Sync", `Exported on ${ctx.clock.iso().slice(0, 10)}`),
    schemas: exportSchemas(ctx, selection.schemas),
    collections: await exportCollections(ctx, selection.collections),
    templates: await exportTemplates(ctx, selection.templates),
    objects,
  };
}

/** Objects to be seeded elsewhere. */
export async function exportSeeds(ctx: Context, seeds: Seeds): Promise<ObjectItem[]> {
  allow(ctx, "read", { kind: "sync" });
  const objects: ObjectItem[] = [];
  for (const [collection, wanted] of seeds) {
    const refusal = seedingRefusal(collection);
    if (refusal) fail("invalid", `${refusal}.`, { objects: [`${collection} cannot be seeded`] });
    if (!(await findCollection(ctx, collection))) fail("not-found", `There is no collection "${collection}".`);
    for await (const item of objectsOf(ctx, collection, wanted)) objects.push(item);
  }
  return objects;
}

/** Fingerprints of the objects that exist. Callers that may sync see these, not the content itself. */
export async function fingerprintSeeds(ctx: Context, seeds: Seeds): Promise<Fingerprint[]> {
  allow(ctx, "read", { kind: "sync" });
  const found: Fingerprint[] = [];
  for (const [collection, wanted] of seeds) {
    if (seedingRefusal(collection) || !(await findCollection(ctx, collection))) continue;
    for await (const item of objectsOf(ctx, collection, wanted)) {
      found.push(...fingerprints({ ...emptyDefinition(""), objects: [item] }));
    }
  }
  return found;
}

function exportSchemas(ctx: Context, wanted: Wanted | undefined): Identified[] {
  const ids = wanted ? customSchemaIds(ctx).filter((id) => isWanted(wanted, id)) : [];
  return ids.map((id) => findRawSchema(ctx, id) as unknown as Identified);
}

async function exportCollections(ctx: Context, wanted: Wanted | undefined): Promise<Definition["collections"]> {
  const carried: Definition["collections"] = { reserved: [], custom: [] };
  for (const row of wanted ? await listCollectionRows(ctx.storage) : []) {
    const { id, updated } = row;
    if (row.isDeleting || !isWanted(wanted, id) || !carriesSettings(id, wanted !== "all")) continue;
    const settings = { ...fillSettings(JSON.parse(row.settings) as JsonObject), updated } as Identified;
    carried[Object.hasOwn(reservedCollections, id) ? "reserved" : "custom"].push(settings);
  }
  return carried;
}

/** None when the project keeps templates in its own folder: then version control carries them. */
async function exportTemplates(ctx: Context, wanted: Wanted | undefined): Promise<TemplateItem[]> {
  const { folder, isGitManaged } = templatePlace(ctx.settings);
  const carried: TemplateItem[] = [];
  for (const { id } of wanted && !isGitManaged ? await listTemplateFiles(folder) : []) {
    const stored = isWanted(wanted, id) ? await readTemplateFile(folder, id) : undefined;
    if (stored) carried.push({ id, template: stored.text, updated: stored.updated });
  }
  return carried;
}

async function* objectsOf(ctx: Context, collection: string, wanted: Wanted): AsyncIterable<ObjectItem> {
  const found = await findCollection(ctx, collection);
  if (!found || found.isVirtual) return;
  const { schema } = found;
  for await (const rows of iterateObjects(ctx.storage, collection, batchSize, longAnswer)) {
    for (const row of rows) {
      if (!isWanted(wanted, row.id)) continue;
      const { id, ...data } = withoutLocal(ownedBy(ctx, collection, schema), storedDocument(ctx, schema, row));
      yield { collection, id: String(id), data };
    }
  }
}
