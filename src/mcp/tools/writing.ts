// Tools that write objects: create, replace, patch, delete. Each is one operation of content, with the version that the
// caller read as its condition. Answers echo the saved object as it is stored.

import { fail } from "#base/errors.ts";
import type { Collection } from "#content/collections/collection.ts";
import { openCollection } from "#content/collections/open-collection.ts";
import type { ObjectAnswer } from "#content/objects/object-answer.ts";
import { createObject, deleteObject, patchObject, replaceObject } from "#content/objects/objects.ts";
import type { Context } from "#context.ts";
import type { JsonObject } from "#contract/json.ts";
import { defineTool, type Outcome } from "#mcp/define-tool.ts";
import { declined } from "#mcp/failures.ts";
import { mayAnywhere } from "#mcp/persona.ts";
import { collectionArg, flag, idArg, input, objectOutput, output, revArg, text } from "#mcp/reading/json-schemas.ts";
import { ifMatchOf, presentAnswer } from "#mcp/reading/present.ts";
import type { Annotations, Tool } from "#mcp/tool.ts";
import { checkNewFiles, preparePatch, prepareReplacement, stripShownFields } from "#mcp/write-input.ts";

const changes: Annotations = {
  readOnlyHint: false,
  destructiveHint: true,
  idempotentHint: true,
  openWorldHint: false,
};

const ignoredNote = "Properties that the schema does not have are not stored; `_ignored` in the answer names them.";
const fileNote = "Leave out files (images, galleries, depots): they stay as they are; upload_file changes them.";

function dataArg(description: string): JsonObject {
  return {
    type: "object",
    description: `${description} describe_collection shows the properties. ${ignoredNote} ${fileNote}`,
  };
}

const createObjectTool = defineTool({
  name: "create_object",
  title: "Create an object",
  description: "Makes a new object. Rich text is written as HTML. Answers with the saved object.",
  input: input(
    {
      collection: collectionArg,
      id: { ...idArg, description: "Id of the new object; made from its title or name when left out." },
      data: dataArg("The properties."),
    },
    ["collection", "data"],
  ),
  output: objectOutput,
  annotations: { ...changes, destructiveHint: false, idempotentHint: false },
  operation: "create",
  scope: "cms:write",
  isVisible: (ctx) => mayAnywhere(ctx, "create"),
  async run(ctx, args) {
    const { id, data } = args as { id?: string; data: JsonObject };
    const opened: { collection?: Collection } = {};
    const answer = await createObject(ctx, String(args.collection), data, {
      prepare(sent, collection) {
        opened.collection = collection;
        const body = stripShownFields(ctx, collection, sent, id);
        if (id !== undefined && body.id !== undefined && body.id !== id)
          fail("invalid", "The ids differ.", { id: ["Give the id once, as an argument or in data."] });
        checkNewFiles(collection.schema, body);
        return { ...body, ...(id !== undefined && { id }) };
      },
    });
    return echo(ctx, opened.collection as Collection, answer);
  },
});

const updateObjectTool = defineTool({
  name: "update_object",
  title: "Replace an object",
  description:
    "Replaces a whole object: properties that are left out go back to their defaults (not passwords, files and hidden " +
    "ones). Prefer patch_object. Read the object with get_object and format html first, and send its rev.",
  input: input({ collection: collectionArg, id: idArg, data: dataArg("All properties."), rev: revArg }, [
    "collection",
    "id",
    "data",
  ]),
  output: objectOutput,
  annotations: changes,
  operation: "update",
  scope: "cms:write",
  isVisible: (ctx) => mayAnywhere(ctx, "update"),
  run: (ctx, args) => change(ctx, args, { operation: replaceObject, prepare: prepareReplacement }),
});

const patchObjectTool = defineTool({
  name: "patch_object",
  title: "Change properties of an object",
  description:
    "Changes only the properties that are sent; null takes one back to its default. Lists, cards and decks are replaced " +
    "whole. Rich text is HTML: read it with get_object and format html before you change it.",
  input: input({ collection: collectionArg, id: idArg, data: dataArg("The properties to change."), rev: revArg }, [
    "collection",
    "id",
    "data",
  ]),
  output: objectOutput,
  annotations: changes,
  operation: "update",
  scope: "cms:write",
  isVisible: (ctx) => mayAnywhere(ctx, "update"),
  run: (ctx, args) => change(ctx, args, { operation: patchObject, prepare: preparePatch }),
});

interface Change {
  operation: typeof replaceObject;
  prepare: typeof prepareReplacement;
}

async function change(ctx: Context, args: JsonObject, { operation, prepare }: Change): Promise<Outcome> {
  const { id, data, rev } = args as { id: string; data: JsonObject; rev?: string };
  const collection = await openCollection(ctx, "update", String(args.collection), id);
  const body = stripShownFields(ctx, collection, data, id);
  const answer = await operation(ctx, collection.id, id, { body, ifMatch: ifMatchOf(rev), prepare });
  return echo(ctx, collection, answer);
}

/** The saved object, and which of the sent properties it does not have. */
function echo(ctx: Context, collection: Collection, answer: ObjectAnswer): Outcome {
  const shown = presentAnswer(ctx, collection, answer, "html");
  const { ignored } = answer;
  return ignored ? { structured: { ...shown.structured, _ignored: ignored.map(({ name }) => name) } } : shown;
}

const deleteObjectTool = defineTool({
  name: "delete_object",
  title: "Delete an object",
  description: "Deletes one object with its files, for good. The person is asked first where the client can ask.",
  input: input({ collection: collectionArg, id: idArg, rev: revArg }, ["collection", "id"]),
  output: output({ deleted: flag("Always true."), collection: text("Where it was."), id: text("What it was.") }, [
    "deleted",
    "collection",
    "id",
  ]),
  annotations: changes,
  operation: "delete",
  mayAsk: true,
  scope: "cms:write",
  isVisible: (ctx) => mayAnywhere(ctx, "delete"),
  async run(ctx, args, call) {
    const { id, rev } = args as { id: string; rev?: string };
    const { id: collection } = await openCollection(ctx, "delete", String(args.collection));
    const isSure = await (call.confirm?.(`Delete ${collection}/${id} for good, with its files?`) ?? true);
    if (!isSure) return declined(ctx);
    await deleteObject(ctx, collection, id, { ifMatch: ifMatchOf(rev) });
    return { structured: { deleted: true, collection, id } };
  },
});

export const writingTools: readonly Tool[] = [createObjectTool, updateObjectTool, patchObjectTool, deleteObjectTool];
