// Tools that list the collections that a caller may read, and the properties of each.

import type { Collection } from "#content/collections/collection.ts";
import { exposureOf, listOpenCollections } from "#content/collections/collection-cache.ts";
import { listCollections } from "#content/collections/collections.ts";
import { openCollection } from "#content/collections/open-collection.ts";
import type { Json, JsonObject } from "#contract/json.ts";
import { defineTool, reads } from "#mcp/define-tool.ts";
import { plainLine } from "#mcp/names.ts";
import { isRich } from "#mcp/reading/formats.ts";
import { collectionArg, flag, input, list, output, text, whole, writable } from "#mcp/reading/json-schemas.ts";
import { fitting } from "#mcp/reading/present.ts";
import type { Tool } from "#mcp/tool.ts";
import { maxAnswer } from "#mcp/transport/budget.ts";
import { type AddedKind, describedSchema } from "#schemas/added-kinds.ts";
import { exposedDescription, exposedSchema } from "#schemas/mcp-visibility.ts";
import type { FlatSchema, Property } from "#schemas/types.ts";

const listCollectionsTool = defineTool({
  name: "list_collections",
  title: "List collections",
  description: "The collections of this site that you may read. Begin here.",
  input: input({}),
  output: output(
    {
      collections: list(
        output({
          id: text("What other tools call it."),
          name: text("Title."),
          schema: text("Id of its schema."),
          description: text("What it holds."),
          url_pattern: text("Address pattern of its objects on the website."),
          access: text("public, authenticated or admin."),
          total_objects: whole("How many objects it holds."),
        }),
      ),
    },
    ["collections"],
  ),
  annotations: reads,
  scope: "cms:read",
  isVisible: () => true,
  async run(ctx) {
    const counts = new Map((await listCollections(ctx)).map(({ name, count }) => [name, count]));
    const open = await listOpenCollections(ctx, "read");
    const collections = open.map((each) => summarise(each, counts.get(each.id) ?? 0));
    const isLong = JSON.stringify(collections).length > maxAnswer;
    return { structured: { collections: isLong ? collections.map(inShort) : collections } };
  },
});

function summarise({ id, settings }: Collection, total: number): JsonObject {
  return {
    id,
    name: plainLine(settings.name, 200),
    schema: settings.schema,
    description: describeCollection(settings),
    url_pattern: settings.url,
    access: exposureOf(settings),
    total_objects: total,
  };
}

/** Where there are very many, their names alone; describe_collection shows the rest. */
function inShort({ id, name, total_objects }: JsonObject): JsonObject {
  return { id: id as Json, name: name as Json, total_objects: total_objects as Json };
}

/** The card's words for agents, else the collection's own. */
export function describeCollection({ mcp, description }: Collection["settings"]): string {
  const words = typeof mcp.description === "string" && mcp.description !== "" ? mcp.description : description;
  return plainLine(words);
}

const describeCollectionTool = defineTool({
  name: "describe_collection",
  title: "Describe a collection",
  description:
    "The properties of a collection: types, rules, and which can be filtered and sorted by. Call it before you query " +
    "or write.",
  input: input({ collection: collectionArg }, ["collection"]),
  output: output(
    {
      id: text("Id of the collection."),
      name: text("Title."),
      schema: text("Id of its schema."),
      description: text("What it holds."),
      url_pattern: text("Address pattern of its objects on the website."),
      access: text("public, authenticated or admin."),
      total_objects: whole("How many objects it holds."),
      properties: list(
        output({
          name: text("Name."),
          type: text("Type of the value."),
          description: text("What it is for."),
          required: flag("Whether an object must have it."),
          indexed: flag("Whether summaries show it and searches find it."),
          filterable: flag("Whether include and exclude may name it."),
          sortable: flag("Whether sort may name it."),
        }),
      ),
    },
    ["id", "properties"],
  ),
  annotations: reads,
  scope: "cms:read",
  isVisible: () => true,
  async run(ctx, args) {
    const collection = await openCollection(ctx, "read", String(args.collection));
    const total = (await listCollections(ctx)).find(({ name }) => name === collection.id)?.count ?? 0;
    const properties = describeProperties(collection.schema);
    return fitting({ ...summarise(collection, total), properties });
  },
});

function describeProperties(schema: FlatSchema): JsonObject[] {
  const shown = exposedSchema(schema).properties;
  const secrets = writable(schema).filter(({ isPassword }) => isPassword);
  return [...shown.values(), ...secrets].map(describeProperty);
}

function describeProperty(property: Property): JsonObject {
  const { name, kind, definition, isRequired, isIndexed, isPassword, item } = property;
  const isFilterable = (isIndexed && kind.comparison !== undefined) || name === "id";
  const { default: fallback } = definition;
  return {
    name,
    type: kind.type,
    description: plainLine(exposedDescription(property), 300),
    required: isRequired,
    indexed: isIndexed,
    filterable: isFilterable,
    sortable: isFilterable,
    ...(isRich(property) && { rich_text: true }),
    ...(kind.isUploaded && { file: true }),
    ...(isPassword && { write_only: true }),
    ...(fallback !== undefined && { default: fallback }),
    ...rulesOf(property),
    ...(property.added && kindOf(property.added, isIndexed)),
    ...(item && { properties: describeProperties(item) }),
  };
}

/** A field kind of an extension: what its values are, and which parts can be compared. */
function kindOf(added: AddedKind, isIndexed: boolean): JsonObject {
  const schema = describedSchema(added);
  return {
    kind: added.name,
    ...(schema && { schema }),
    ...(isIndexed && added.index.length > 0 && { filterable_parts: [...added.index] }),
  };
}

const shownRules = ["enum", "options", "minLength", "maxLength", "minimum", "maximum", "pattern", "reference"] as const;

function rulesOf({ definition }: Property): JsonObject {
  const rules: JsonObject = {};
  for (const rule of shownRules) if (definition[rule] !== undefined) rules[rule] = definition[rule] as Json;
  return rules;
}

export const collectionTools: readonly Tool[] = [listCollectionsTool, describeCollectionTool];
