// A file into a property, fetched from an address or, when it is small, sent along with the call. Either way it comes in
// by the same gate as every other upload.

import { Readable } from "node:stream";
import { fail } from "#base/errors.ts";
import { openCollection } from "#content/collections/open-collection.ts";
import { defineTool } from "#mcp/define-tool.ts";
import { mayAnywhere } from "#mcp/persona.ts";
import { collectionArg, idArg, input, objectOutput, revArg, text } from "#mcp/reading/json-schemas.ts";
import { ifMatchOf, presentAnswer } from "#mcp/reading/present.ts";
import type { Tool } from "#mcp/tool.ts";
import { fileRef } from "#media/open-files.ts";
import type { FormPart } from "#media/uploads/receive-form.ts";
import type { Saved } from "#media/uploads/save-file.ts";
import { openUpload, uploadForm, uploadFromUrl } from "#media/uploads/uploads.ts";
import { noteArg, noted } from "./noted.ts";

/** Content passes through the model: larger files are sent by address, or to the REST API. */
const maxInline = 1_048_576;
const maxEncoded = 4 * Math.ceil(maxInline / 3);

const uploadFileTool = defineTool({
  name: "upload_file",
  title: "Upload a file",
  description:
    "Puts a file into a property: an image or file takes the place of the one before, galleries and depots get one " +
    "more. The file is fetched from a public http(s) address (`url`), or, up to 1 MiB, sent along as base64 " +
    "(`content`, with its `name`): one of the two. Answers with the saved object. A larger file without an address is " +
    "sent to the REST API instead: POST /api/collections/{collection}/{id}/{property}.",
  input: input(
    {
      collection: collectionArg,
      id: idArg,
      property: text("The property that takes the file.", { minLength: 1, maxLength: 200 }),
      path: text("Folder of a depot, or the child of a card or deck item (`card/image`).", { maxLength: 1_000 }),
      url: text("Where the file is.", { minLength: 1, maxLength: 4_000 }),
      content: text("The file itself in base64, at most 1 MiB before encoding.", {
        minLength: 1,
        maxLength: maxEncoded,
        contentEncoding: "base64",
      }),
      name: text("File name of what is sent as `content`, such as photo.jpg.", { minLength: 1, maxLength: 200 }),
      rev: revArg,
      note: noteArg,
    },
    ["collection", "id", "property"],
  ),
  output: objectOutput,
  annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: false, openWorldHint: true },
  operation: "update",
  scope: "cms:write",
  isVisible: (ctx) => mayAnywhere(ctx, "update"),
  async run(ctx, args) {
    const { collection: id, path = "", rev, note: _note, ...sent } = args as Record<string, string>;
    const own = noted(ctx, args);
    const object = { id: sent.id as string, property: sent.property as string };
    const collection = await openCollection(ctx, "update", id as string, object.id);
    const upload = await openUpload(own, fileRef({ collection: collection.id, ...object }, path));
    const field = upload.entrance.fields[0] as string;
    const precondition = { ifMatch: ifMatchOf(rev) };
    const saved = isInline(sent)
      ? await uploadForm(own, upload, oneFile(field, sent), precondition)
      : await uploadFromUrl(own, upload, { [field]: sent.url as string }, precondition);
    return presentAnswer(ctx, collection, (saved as Saved).answer, "html");
  },
});

type Sent = Readonly<Record<string, string | undefined>>;

/** One of the two ways, wholly. */
function isInline({ url, content, name }: Sent): boolean {
  const problem = (argument: string, text: string) => fail("invalid", undefined, { [argument]: [text] });
  if (url === undefined && content === undefined) return problem("url", "is required, or the file as content");
  if (url !== undefined && content !== undefined) return problem("content", "is for files that have no url");
  if (url !== undefined && name !== undefined) return problem("name", "goes with content; a url has its own");
  if (content !== undefined && name === undefined) return problem("name", "is required with content");
  return content !== undefined;
}

/** As a form with this one file would bring it. */
async function* oneFile(field: string, { content = "", name = "" }: Sent): AsyncGenerator<FormPart> {
  yield { field, fileName: name, bytes: Readable.from([decode(content)]) };
}

/** Content that was damaged on the way is refused; line breaks and a missing end are common, and harmless. */
function decode(content: string): Buffer {
  const encoded = content.replace(/\s+/g, "").replace(/=+$/, "");
  const bytes = Buffer.from(encoded, "base64");
  if (bytes.length > maxInline) fail("too-large", "A file that is sent along must not exceed 1 MiB.");
  if (bytes.length === 0 || bytes.toString("base64").replace(/=+$/, "") !== encoded)
    fail("invalid", undefined, { content: ["is not base64"] });
  return bytes;
}

export const fileTools: readonly Tool[] = [uploadFileTool];
