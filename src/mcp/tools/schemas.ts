// Tools that administer schemas and collections. The operations check rights; a tool is shown to callers that may do any of it.

import { isAllowed } from "#access/allow.ts";
import { unusedSettings } from "#content/collections/collection-settings.ts";
import { createCollection, patchSettings } from "#content/collections/collections.ts";
import { createSchema, deleteSchema, getSchema, listSchemas, replaceSchema } from "#content/collections/schemas.ts";
import type { Json, JsonObject } from "#contract/json.ts";
import { defineTool, reads } from "#mcp/define-tool.ts";
import { declined } from "#mcp/failures.ts";
import { isAdmin, maySchemas } from "#mcp/persona.ts";
import { flag, input, list, output, text } from "#mcp/reading/json-schemas.ts";
import { fitting } from "#mcp/reading/present.ts";
import { schemaArg, settingsArg } from "#mcp/reading/schema-words.ts";
import type { Annotations, Tool, ToolResult } from "#mcp/tool.ts";
import { unusedKeys } from "#schemas/misspelt.ts";

const changes: Annotations = {
  readOnlyHint: false,
  destructiveHint: true,
  idempotentHint: true,
  openWorldHint: false,
};
const idArg = text("Id of the schema.", { minLength: 1, maxLength: 200 });
const schemaOutput = output({ id: text("Id."), properties: { type: "object", description: "Property definitions." } }, [
  "id",
  "properties",
]);

const listSchemasTool = defineTool({
  name: "list_schemas",
  title: "List schemas",
  description: "All schemas, built-in and custom.",
  input: input({}),
  output: output(
    { schemas: list(output({ id: text("Id."), description: text("Purpose."), category: text("Group.") })) },
    ["schemas"],
  ),
  annotations: reads,
  scope: "cms:admin",
  isVisible: isAdmin,
  async run(ctx) {
    const summaries = await listSchemas(ctx);
    const schemas = await Promise.all(
      summaries.map(async ({ name, description }) => {
        const { category = "" } = await getSchema(ctx, name, { raw: true });
        return { id: name, description, category };
      }),
    );
    return { structured: { schemas } };
  },
});

const getSchemaTool = defineTool({
  name: "get_schema",
  title: "Get a schema",
  description: "One schema, with what it inherits merged in. Read it before you change it with update_schema.",
  input: input({ id: idArg, raw: flag("As it is stored, without what it inherits.") }, ["id"]),
  output: schemaOutput,
  annotations: reads,
  scope: "cms:admin",
  isVisible: isAdmin,
  run: async (ctx, args) => fitting(asJson(await getSchema(ctx, String(args.id), { raw: args.raw === true }))),
});

const createSchemaTool = defineTool({
  name: "create_schema",
  title: "Create a schema",
  description: "Makes a new custom schema. create_collection makes a collection of it.",
  input: input({ schema: schemaArg }, ["schema"]),
  output: schemaOutput,
  annotations: { ...changes, destructiveHint: false, idempotentHint: false },
  scope: "cms:admin",
  isVisible: (ctx) => maySchemas(ctx, "create"),
  run: async (ctx, args) => naming(await createSchema(ctx, args.schema as Json), unusedKeys(args.schema as Json)),
});

const updateSchemaTool = defineTool({
  name: "update_schema",
  title: "Replace a schema",
  description:
    "Replaces a custom schema whole. Values of properties that it no longer has are not shown any more. Read it with " +
    "get_schema and raw first.",
  input: input({ id: idArg, schema: schemaArg }, ["id", "schema"]),
  output: schemaOutput,
  annotations: changes,
  scope: "cms:admin",
  isVisible: (ctx) => maySchemas(ctx, "update"),
  async run(ctx, args) {
    const schema = args.schema as Json;
    return naming(await replaceSchema(ctx, String(args.id), schema), unusedKeys(schema));
  },
});

const deleteSchemaTool = defineTool({
  name: "delete_schema",
  title: "Delete a schema",
  description:
    "Deletes a custom schema that nothing uses. The person is asked first where the client can ask. Built-in schemas, " +
    "and those that others inherit from or collections use, are refused.",
  input: input({ id: idArg }, ["id"]),
  output: output({ deleted: flag("Always true."), id: text("What it was.") }, ["deleted", "id"]),
  annotations: changes,
  mayAsk: true,
  scope: "cms:admin",
  isVisible: (ctx) => maySchemas(ctx, "delete"),
  async run(ctx, args, call) {
    const id = String(args.id);
    const isSure = await (call.confirm?.(`Delete the schema ${id} for good?`) ?? true);
    if (!isSure) return declined(ctx);
    await deleteSchema(ctx, id);
    return { structured: { deleted: true, id } };
  },
});

const createCollectionTool = defineTool({
  name: "create_collection",
  title: "Create a collection",
  description: "Makes a new collection of a schema. It is closed to everybody else until its settings open it.",
  input: input(
    {
      id: text("Lower-case letters, digits, _ and single hyphens.", { minLength: 1, maxLength: 100 }),
      schema: text("Id of its schema.", { minLength: 1, maxLength: 200 }),
      name: text("Title.", { minLength: 1, maxLength: 200 }),
      description: text("What it holds.", { maxLength: 2_000 }),
      url: text("Address pattern of its objects on the website, such as /news/{id}.", { maxLength: 1_000 }),
      settings: settingsArg,
    },
    ["id", "schema"],
  ),
  output: output({ id: text("Id."), name: text("Title."), schema: text("Id of its schema.") }, ["id", "schema"]),
  annotations: { ...changes, destructiveHint: false, idempotentHint: false },
  scope: "cms:admin",
  isVisible: ({ actor }) => isAllowed(actor, "create", { kind: "collections" }),
  async run(ctx, { settings, ...named }) {
    const body = { ...(settings as JsonObject | undefined), ...named };
    return naming(await createCollection(ctx, body), unusedSettings(body));
  },
});

const updateCollectionTool = defineTool({
  name: "update_collection",
  title: "Change settings of a collection",
  description: "Changes the settings that are sent; null takes one back to its default. Answers with all settings.",
  input: input(
    {
      collection: text("Id of the collection.", { minLength: 1, maxLength: 100 }),
      settings: settingsArg,
    },
    ["collection", "settings"],
  ),
  output: output({ id: text("Id."), name: text("Title."), schema: text("Id of its schema.") }, ["id", "schema"]),
  annotations: changes,
  scope: "cms:admin",
  isVisible: (ctx) => isAdmin(ctx) && isAllowed(ctx.actor, "update", { kind: "collections" }),
  async run(ctx, args) {
    const settings = args.settings as JsonObject;
    return naming(await patchSettings(ctx, String(args.collection), settings), unusedSettings(settings));
  },
});

/** With the names of keys that were sent and have no effect. */
function naming(record: object, unused: readonly string[]): ToolResult {
  return fitting({ ...asJson(record), ...(unused.length > 0 && { _ignored: unused.slice(0, 20) }) });
}

/** Records of ours are JSON; their types do not say so. */
function asJson(record: object): JsonObject {
  return record as JsonObject;
}

export const schemaTools: readonly Tool[] = [
  listSchemasTool,
  getSchemaTool,
  createSchemaTool,
  updateSchemaTool,
  deleteSchemaTool,
  createCollectionTool,
  updateCollectionTool,
];
