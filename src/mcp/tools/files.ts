// A file into a property, fetched from an address. It comes in by the same gate as every other upload.

import { openCollection } from "#content/access.ts";
import { readPath } from "#content/file-targets.ts";
import { openUpload, uploadFromUrl } from "#content/uploads.ts";
import { defineTool } from "#mcp/define-tool.ts";
import { collectionArg, idArg, input, objectOutput, revArg, text } from "#mcp/json-schemas.ts";
import { mayAnywhere } from "#mcp/persona.ts";
import { ifMatchOf, presentAnswer } from "#mcp/present.ts";
import type { Tool } from "#mcp/tool.ts";

const uploadFileTool = defineTool({
  name: "upload_file",
  title: "Upload a file from an address",
  description:
    "Fetches a file from a public http(s) address and puts it into a property: an image or file takes the place of the " +
    "one before, galleries and depots get one more. Answers with the saved object. A file that has no address is sent " +
    "to the REST API instead: POST /api/collections/{collection}/{id}/{property}.",
  input: input(
    {
      collection: collectionArg,
      id: idArg,
      property: text("The property that takes the file.", { minLength: 1, maxLength: 200 }),
      path: text("Folder of a depot, or the child of a card or deck item (`card/image`).", { maxLength: 1_000 }),
      url: text("Where the file is.", { minLength: 1, maxLength: 4_000 }),
      rev: revArg,
    },
    ["collection", "id", "property", "url"],
  ),
  output: objectOutput,
  annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: false, openWorldHint: true },
  scope: "cms:write",
  isVisible: (ctx) => mayAnywhere(ctx, "update"),
  async run(ctx, args) {
    const { collection: id, path = "", url, rev, ...target } = args as Record<string, string>;
    const object = { id: target.id as string, property: target.property as string };
    const collection = await openCollection(ctx, "update", id as string, object.id);
    const upload = await openUpload(ctx, { collection: collection.id, ...object, path: readPath(path) });
    const body = { [upload.entrance.fields[0] as string]: url as string };
    const { answer } = await uploadFromUrl(ctx, upload, body, { ifMatch: ifMatchOf(rev) });
    return presentAnswer(ctx, collection, answer, "html");
  },
});

export const fileTools: readonly Tool[] = [uploadFileTool];
