// Compresses texts for clients that take it: br, zstd or gzip, on threads of the system, never on the event loop's.
// Answers with a secret (a CSRF token, a preview) are not for this: their length would tell of it.

import { promisify } from "node:util";
import { brotliCompress, constants, gzip, zstdCompress } from "node:zlib";
import type { FastifyReply } from "fastify";
import { acceptedEncoding } from "./admin/accepted-encoding.ts";
import { addVary } from "./vary.ts";

/** Best first. */
const offered = ["br", "zstd", "gzip"] as const;
export type TextEncoding = (typeof offered)[number];

/** Smaller texts gain nothing. */
const leastBytes = 1_024;
const maxKnown = 200;

const shrink: Record<TextEncoding, (bytes: Uint8Array) => Promise<Buffer>> = {
  br: (bytes) =>
    asBrotli(bytes, {
      params: {
        [constants.BROTLI_PARAM_MODE]: constants.BROTLI_MODE_TEXT,
        [constants.BROTLI_PARAM_QUALITY]: 5,
        [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length,
      },
    }),
  zstd: (bytes) => asZstd(bytes, { params: { [constants.ZSTD_c_compressionLevel]: 6 } }),
  gzip: (bytes) => asGzip(bytes, { level: 6 }),
};
const asBrotli = promisify(brotliCompress);
const asZstd = promisify(zstdCompress);
const asGzip = promisify(gzip);

/** By header: clients send few different ones. */
const known = new Map<string, TextEncoding | undefined>();

/** The encoding of a text of this length for a client that sent this `Accept-Encoding`; undefined: as it is. */
export function encodingFor(header: string | undefined, length: number): TextEncoding | undefined {
  if (header === undefined || length <= leastBytes) return undefined;
  if (known.has(header)) return known.get(header);
  const encoding = acceptedEncoding(header, offered);
  if (known.size >= maxKnown) known.clear();
  known.set(header, encoding);
  return encoding;
}

export function compress(bytes: Uint8Array, encoding: TextEncoding): Promise<Buffer> {
  return shrink[encoding](bytes);
}

/** Each encoding has a tag of its own; preconditions accept it for the same content. */
export function encodedTag(etag: string, encoding: TextEncoding | undefined): string {
  return encoding === undefined ? etag : `${etag.slice(0, -1)}-${encoding}"`;
}

/** Marks the answer; the caller sends the bytes. */
export function setEncoded(reply: FastifyReply, encoding: TextEncoding): void {
  reply.header("content-encoding", encoding);
  addVary(reply, "Accept-Encoding");
  const etag = reply.getHeader("etag");
  if (typeof etag === "string") reply.header("etag", encodedTag(etag, encoding));
}
