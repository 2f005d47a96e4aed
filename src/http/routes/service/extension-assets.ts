// Files of extensions for browsers. Everybody may have them, so nobody is asked for a credential. A page among them runs
// without the origin of the service, and loads nothing but files of its own extension.

import { readFileSync } from "node:fs";
import type { FastifyInstance, FastifyRequest } from "fastify";
import { fail } from "#base/errors.ts";
import { escapeHtml } from "#base/text.ts";
import { type Asset, findAsset, findBase } from "#extensions/assets.ts";
import { manifestSchema } from "#extensions/manifest/read-manifest.ts";
import { htmlType } from "#http/media-types.ts";
import type { HttpParts } from "#http/request-helpers.ts";
import { described } from "#openapi/route-doc.ts";

interface Address {
  Params: { vendor: string; name: string; hash: string; "*": string };
}

/** Not among the names that a folder may have: the page that shows an element without the session, and its script. */
const framePage = "~frame.html";
const frameScript = "~frame.js";

export function extensionAssetRoutes(server: FastifyInstance, { app, baseUrl }: HttpParts): void {
  const doc = described({
    tag: "Extensions",
    summary: "Get a file of an extension for browsers",
    description:
      "A file of its declared folder, or an element with what it imports. The hash changes with the files, so the answer " +
      "may be kept for ever. TypeScript is answered as JavaScript.",
    answerTypes: { "*/*": { type: "string", format: "binary" } },
  });
  server.get<Address>("/:vendor/:name/assets/:hash/*", doc, async (request, reply) => {
    const { vendor, name, hash, "*": file } = request.params;
    const id = `${vendor}/${name}`;
    const asset =
      file === framePage || file === frameScript
        ? (await findBase(app, id)) === baseOf(request) && frameFile(file, baseOf(request))
        : await findAsset(app, id, hash, file);
    if (!asset) return fail("not-found", "There is no such file of the extension, or not any more.");
    if (asset.isDocument) reply.header("content-security-policy", policyFor(request, baseUrl(), asset));
    return reply
      .removeHeader("vary")
      .header("access-control-allow-origin", "*")
      .header("cross-origin-resource-policy", "cross-origin")
      .header("cache-control", "public, max-age=31536000, immutable")
      .header("content-type", asset.type)
      .send(asset.bytes);
  });
}

/** For editors, which complete and check manifests by it. */
export function manifestSchemaRoute(server: FastifyInstance): void {
  const doc = described({
    tag: "Extensions",
    summary: "Get the JSON Schema of extension.json",
    answerTypes: { "application/schema+json": { type: "object" } },
  });
  server.get("/schemas/extension.json", doc, async (_request, reply) =>
    reply
      .header("access-control-allow-origin", "*")
      .header("cache-control", "public, max-age=3600")
      .header("content-type", "application/schema+json; charset=utf-8")
      .send(JSON.stringify(manifestSchema)),
  );
}

function baseOf({ params: { vendor, name, hash } }: FastifyRequest<Address>): string {
  return `/api/ext/${vendor}/${name}/assets/${hash}/`;
}

/** Its origin is none, so that the files must be named by their whole address. */
function policyFor(request: FastifyRequest<Address>, site: string, { type }: Asset): string {
  if (type !== htmlType) return "sandbox; default-src 'none'; style-src 'unsafe-inline'";
  const base = baseOf(request);
  const files = [...new Set([`${request.protocol}://${request.host}${base}`, `${site}${base}`])].join(" ");
  return (
    `sandbox allow-scripts allow-forms; default-src 'none'; script-src ${files}; style-src ${files} 'unsafe-inline'; ` +
    `img-src ${files} data: blob:; font-src ${files}; connect-src 'none'; base-uri 'none'; frame-ancestors 'self'`
  );
}

function frameFile(file: string, base: string): Asset {
  if (file === frameScript) {
    const bytes = readFileSync(new URL("./extension-frame.js", import.meta.url));
    return { bytes, type: "text/javascript; charset=utf-8", isDocument: false };
  }
  const page =
    '<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Extension</title></head>' +
    `<body><script type="module" src="${escapeHtml(base)}${frameScript}"></script></body></html>`;
  return { bytes: Buffer.from(page), type: htmlType, isDocument: true };
}
