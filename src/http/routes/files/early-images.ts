// Images that everybody may see and that are in memory, sent before their request is routed: most visits of a page are these.
// Only plain requests come this way. One with a credential, an origin, a condition or anything else to decide about is routed,
// and the answers are the same.

import type { IncomingHttpHeaders } from "node:http";
import type { FastifyInstance } from "fastify";
import { noteOperation } from "#base/loop-guard.ts";
import type { App } from "#context.ts";
import type { AnswerEarly, EarlyParts } from "#http/before-routing.ts";
import { endWith } from "#http/file-answers.ts";
import { isOpenForReading } from "#http/hooks/cors.ts";
import { followSettings } from "#installation/settings.ts";
import { answerOf, findReadyImage, type ImageFacts, type ReadyImage } from "#media/images/imageworks.ts";
import { imageHeaders, imagesRoute } from "./imageworks.ts";

interface ImageParts extends EarlyParts {
  /** No file in public/ may be meant. */
  isOwnName: (name: string) => boolean;
}

const prefix = "/imageworks/";
const idAt = 1;

export function createEarlyImages(
  server: FastifyInstance,
  app: App,
  { nextId, host, isOwnName, metrics }: ImageParts,
): AnswerEarly {
  const count = metrics.countOf({ method: "GET", route: imagesRoute, status: 200 });
  let isClosing = false;
  server.addHook("preClose", async () => {
    // The framework then ends connections with their answers.
    isClosing = true;
  });

  return (request, response) => {
    const { method, url = "" } = request;
    // Other nodes may have changed something: the routes ask for that first.
    if (method !== "GET" || !url.startsWith(prefix) || isClosing || app.storage.isShared) return false;
    const { headers } = request;
    if (!isPlain(headers) || !host.isPlain(headers.host) || !isOwnName("imageworks")) return false;
    followSettings(app);
    if (!isOpenForReading(app) || app.log.isLevelEnabled("debug")) return false;
    const ready = findReadyImage(app, url);
    if (!ready) return false;
    noteOperation(`GET ${imagesRoute}`);
    const began = performance.now();
    const head = headOf(ready);
    head[idAt] = nextId();
    response.writeHead(200, head);
    endWith(response, ready.image.bytes);
    const note = () => count(performance.now() - began);
    if (response.socket?.writableLength === 0) note();
    else response.once("finish", note);
    return true;
  };
}

interface Head {
  /** Of the image. */
  size: number;
  /** Names and values, in turn. Only the id is another one each time that they are sent. */
  lines: string[];
}

const heads = new WeakMap<ImageFacts, Head>();

/** An image that was made again has the same tag, but may have another size. */
function headOf(ready: ReadyImage): string[] {
  const known = heads.get(ready.facts);
  if (known?.size === ready.image.size) return known.lines;
  const headers = { "x-request-id": "", "x-content-type-options": "nosniff", ...imageHeaders(answerOf(ready)) };
  const lines = Object.entries(headers).flat() as string[];
  heads.set(ready.facts, { size: ready.image.size, lines });
  return lines;
}

/** The answer depends on the address alone. */
function isPlain(headers: IncomingHttpHeaders): boolean {
  const { authorization, cookie, origin, "x-api-key": key, "if-none-match": known } = headers;
  return (authorization ?? cookie ?? origin ?? key ?? known ?? headers["content-encoding"]) === undefined;
}
