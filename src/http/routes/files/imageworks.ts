// Derived images, at the root of the site.

import type { OutgoingHttpHeaders } from "node:http";
import type { FastifyInstance, FastifyReply, FastifyRequest, onRequestHookHandler } from "fastify";
import type { App } from "#context.ts";
import { isKnown, sendBytes, setTypeHeaders } from "#http/file-answers.ts";
import { localRead } from "#http/forward/forward-requests.ts";
import { hasCredential } from "#http/hooks/authenticate.ts";
import { queryOf } from "#http/request-helpers.ts";
import { withVary } from "#http/vary.ts";
import { answerOf, findReadyImage, type ImageAnswer, withImage } from "#media/images/imageworks.ts";
import { described, text, whole } from "#openapi/route-doc.ts";
import { passOf, previewOf, segmentsOf } from "./files.ts";

const percent = { minimum: 1, maximum: 100 };
const shift = { minimum: -100, maximum: 100 };
const flag = (description: string) => ({ type: "boolean", description });

const doc = described({
  tag: "Files",
  summary: "Get a derived image",
  description:
    "The path is `{collection}/{id}/{property}.{format}`, `.../{property}/{name}.{format}` for a gallery, or " +
    "`.../{property}/first`, `last`, `random`, `featured`. Without parameters and with the stored format it is the stored image.",
  query: {
    w: whole("Width in pixels.", { minimum: 1, maximum: 8_000 }),
    h: whole("Height in pixels.", { minimum: 1, maximum: 8_000 }),
    fit: text("How the image fits width and height.", {
      enum: ["crop", "contain", "cover", "fill", "inside", "outside"],
      default: "inside",
    }),
    format: text("Overrides the path; auto chooses by the header Accept.", {
      enum: ["jpg", "png", "webp", "avif", "gif", "auto"],
    }),
    quality: whole("Quality.", percent),
    blur: whole("Blur.", percent),
    brightness: whole("Brightness.", shift),
    contrast: whole("Contrast.", shift),
    gamma: { type: "number", description: "Gamma.", minimum: 0.1, maximum: 3 },
    sharpen: whole("Sharpness.", percent),
    grayscale: flag("Without colours."),
    sepia: flag("In brown tones."),
    dpr: { type: "number", description: "Multiplies width and height.", minimum: 0, maximum: 8 },
    crop: text("A box of the original, cut out first: w,h,x,y in pixels."),
    or: text("Turned clockwise.", { enum: ["auto", "0", "90", "180", "270"] }),
    flip: text("Mirrored.", { enum: ["h", "v", "both"] }),
    pixel: whole("Pixelate in squares of this side.", { minimum: 0, maximum: 1_000 }),
    bg: text("Background of transparent parts: hex digits, or palette0 to palette4."),
    border: text("size,color,method: overlay, shrink or expand."),
    mark: text("Name of a watermark; more parameters begin with mark."),
    marktext: text("Text as a watermark; more parameters begin with marktext."),
    p: text("Name of a preset; other parameters override it."),
    v: text("The image's hash: the answer may then be cached forever."),
    pwd: text("Encrypted password of a protected image."),
  },
  answerTypes: { "image/*": { type: "string", format: "binary" } },
});

export const imagesRoute = "/imageworks/*";

export function imageworksRoutes(server: FastifyInstance): void {
  server.route<{ Params: { "*": string } }>({
    method: ["GET", "HEAD"],
    url: imagesRoute,
    ...localRead(doc),
    handler: sendImage,
  });
}

/**
 * Sends cached images that everybody may see before the caller is authenticated. Requests with a credential go on, because
 * an invalid credential is refused everywhere.
 */
export function sendCachedImages(app: App): onRequestHookHandler {
  return (request, reply, done) => {
    if (request.method !== "GET" || hasCredential(request)) return done();
    const ready = findReadyImage(app, request.raw.url ?? "");
    if (ready) void send(request, reply, answerOf(ready));
    else done();
  };
}

/** Not async: a cached image is sent in the same turn. */
function sendImage(request: FastifyRequest<{ Params: { "*": string } }>, reply: FastifyReply): unknown {
  const url = request.raw.url ?? "";
  const ready = findReadyImage(request.ctx, url);
  if (ready) {
    // Nothing is returned: the framework would wait for a reply that was sent already.
    void send(request, reply, answerOf(ready));
    return undefined;
  }
  const segments = segmentsOf(request.params["*"]);
  const { accept } = request.headers;
  const seesDraft = previewOf(request);
  const asked = {
    url,
    segments,
    query: queryOf(request),
    accept,
    pass: passOf(request),
    ...(seesDraft && { seesDraft }),
  };
  return withImage(request.ctx, asked, (image) => send(request, reply, image));
}

function send(request: FastifyRequest, reply: FastifyReply, image: ImageAnswer): FastifyReply | Promise<FastifyReply> {
  if (image.isOriginal) setTypeHeaders(reply, image, "inline");
  const isNew = image.keep === "never" || !isKnown(request, tagOf(image));
  const headers = imageHeaders(image);
  if (image.isByAccept) headers.vary = withVary(reply.getHeader("vary") as string | undefined, "Accept");
  if (!isNew) delete headers["content-length"];
  const isWanted = isNew && request.method === "GET";
  if (image.bytes && isWanted) return sendBytes(reply, image.bytes, headers);
  reply.headers(headers).code(isNew ? 200 : 304);
  if (image.bytes) return reply.send();
  return (isWanted ? image.stream() : image.close()).then((stream) => reply.send(stream));
}

/** Of the whole image. Those of a stored one that depend on its type are set by `setTypeHeaders`. */
export function imageHeaders(image: ImageAnswer): OutgoingHttpHeaders {
  return {
    "cache-control": cacheControl(image),
    ...(!image.isOriginal && { "content-type": image.mime }),
    ...(image.keep !== "never" && { etag: tagOf(image) }),
    "content-length": String(image.size),
  };
}

function tagOf({ tag }: ImageAnswer): string {
  return `"${tag}"`;
}

function cacheControl({ keep, isShared }: ImageAnswer): string {
  if (keep === "never") return "no-store";
  const who = isShared ? "public" : "private";
  return keep === "forever" ? `${who}, max-age=31536000, immutable` : `${who}, max-age=300`;
}
