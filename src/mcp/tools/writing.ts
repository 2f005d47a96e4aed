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
import { type WrittenFormat, writtenFormats } from "#mcp/reading/formats.ts";
import { collectionArg, flag, idArg, input, objectOutput, output, revArg, text } from "#mcp/reading/json-schemas.ts";
import { ifMatchOf, presentAnswer } from "#mcp/reading/present.ts";
import type { Annotations, Tool } from "#mcp/tool.ts";
import { type Prepare, prepareNew, preparePatch, prepareReplacement, stripShownFields } from "#mcp/write-input.ts";
import { noteArg, noted } from "./noted.ts";

const changes: Annotations = {
  readOnlyHint: false,
  destructiveHint: true,
  idempotentHint: true,
  openWorldHint: false,
};

const ignoredNote = "Properties that the schema does not have are not stored; `_ignored` in the answer names them.";
const fileNote = "Leave out files (images, galleries, depots): they stay as they are; upload_file changes them.";

const richNote =
  "Rich text is HTML; with format markdown it is Markdown, in which tags are plain text. Markup that Markdown does not have " +
  "is lost when a text is changed so: then read and write it as html.";

const writtenFormatArg: JsonObject = {
  ...text("How the rich text in data is written, and how the answer gives it."),
  enum: [...writtenFormats],
  default: "html",
};

function changeInput(description: string): JsonObject {
  const properties = { collection: collectionArg, id: idArg, data: dataArg(description), rev: revArg };
  return input({ ...properties, format: writtenFormatArg, note: noteArg }, ["collection", "id", "data"]);
}

function dataArg(description: string): JsonObject {
  return {
    type: "object",
    description: `${description} describe_collection shows the properties. ${ignoredNote} ${fileNote}`,
  };
}

const createObjectTool = defineTool({
  name: "create_object",
  title: "Create an object",
  description: `Makes a new object. ${richNote} Answers with the saved object.`,
  input: input(
    {
      collection: collectionArg,
      id: { ...idArg, description: "Id of the new object; made from its title or name when left out." },
      data: dataArg("The properties."),
      format: writtenFormatArg,
      note: noteArg,
    },
    ["collection", "data"],
  ),
  output: objectOutput,
  annotations: { ...changes, destructiveHint: false, idempotentHint: false },
  operation: "create",
  scope: "cms:write",
  isVisible: (ctx) => mayAnywhere(ctx, "create"),
  async run(ctx, args) {
    const { id, data, format = "html" } = args as { id?: string; data: JsonObject; format?: WrittenFormat };
    const opened: { collection?: Collection } = {};
    const answer = await createObject(noted(ctx, args), String(args.collection), data, {
      prepare(sent, collection) {
        opened.collection = collection;
        const body = stripShownFields(ctx, collection, sent, id);
        if (id !== undefined && body.id !== undefined && body.id !== id)
          fail("invalid", "The ids differ.", { id: ["Give the id once, as an argument or in data."] });
        return { ...prepareNew(collection.schema, body, format), ...(id !== undefined && { id }) };
      },
    });
    return echo(ctx, opened.collection as Collection, answer, format);
  },
});

const updateObjectTool = defineTool({
  name: "update_object",
  title: "Replace an object",
  description:
    "Replaces a whole object: properties that are left out go back to their defaults (not passwords, files and hidden " +
    `ones). Prefer patch_object. Read the object with get_object first, and send its rev. ${richNote}`,
  input: changeInput("All properties."),
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
    `whole. ${richNote}`,
  input: changeInput("The properties to change."),
  output: objectOutput,
  annotations: changes,
  operation: "update",
  scope: "cms:write",
  isVisible: (ctx) => mayAnywhere(ctx, "update"),
  run: (ctx, args) => change(ctx, args, { operation: patchObject, prepare: preparePatch }),
});

interface Sent {
  id: string;
  data: JsonObject;
  rev?: string;
  format?: WrittenFormat;
}

interface Change {
  operation: typeof replaceObject;
  prepare: Prepare;
}

async function change(ctx: Context, args: JsonObject, { operation, prepare }: Change): Promise<Outcome> {
  const { id, data, rev, format = "html" } = args as unknown as Sent;
  const collection = await openCollection(ctx, "update", String(args.collection), id);
  const body = stripShownFields(ctx, collection, data, id);
  const answer = await operation(noted(ctx, args), collection.id, id, {
    body,
    ifMatch: ifMatchOf(rev),
    prepare: (sent, current, schema) => prepare(sent, current, schema, format),
  });
  return echo(ctx, collection, answer, format);
}

/** The saved object, and which of the sent properties it does not have. */
function echo(ctx: Context, collection: Collection, answer: ObjectAnswer, format: WrittenFormat): Outcome {
  const shown = presentAnswer(ctx, collection, answer, format);
  const { ignored } = answer;
  return ignored ? { structured: { ...shown.structured, _ignored: ignored.map(({ name }) => name) } } : shown;
}

const deleteObjectTool = defineTool({
  name: "delete_object",
  title: "Delete an object",
  description: "Deletes one object with its files, for good. The person is asked first where the client can ask.",
  input: input({ collection: collectionArg, id: idArg, rev: revArg, note: noteArg }, ["collection", "id"]),
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
    await deleteObject(noted(ctx, args), collection, id, { ifMatch: ifMatchOf(rev) });
    return { structured: { deleted: true, collection, id } };
  },
});

export const writingTools: readonly Tool[] = [createObjectTool, updateObjectTool, patchObjectTool, deleteObjectTool];
