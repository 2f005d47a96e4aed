// Sends a page of the site: 304 to clients that have it, else its bytes in the encoding that the client takes. Encoded forms are
// made once and stay with the page.

import type { ServerResponse } from "node:http";
import type { FastifyReply, FastifyRequest } from "fastify";
import type { ServedPage } from "#site/cache/served-page.ts";
import { compress, encodedTag, encodingFor, type TextEncoding } from "./compress.ts";
import { namesTag } from "./send.ts";
import { withVary } from "./vary.ts";

export function sendPage(request: FastifyRequest, reply: FastifyReply, page: ServedPage): void {
  const { octets, etag } = page;
  const { headers } = request;
  const isEmpty = page.status === 204 || page.status === 304;
  // Pages for one visitor may hold a token.
  const encoding = etag === undefined ? undefined : encodingFor(headers["accept-encoding"], octets.length);
  const sent = headers["if-none-match"];
  if (sent !== undefined && etag !== undefined && page.status === 200 && namesTag(sent, etag))
    writeHead(reply, page, { encoding, status: 304 }).end();
  else if (isEmpty) writeHead(reply, page, { encoding: undefined }).end();
  else if (encoding === undefined) send(request, reply, page, { octets, encoding });
  else {
    const known = page.encoded.get(encoding);
    if (known !== undefined) send(request, reply, page, { octets: known, encoding });
    else
      encode(page, encoding).then(
        (made) => send(request, reply, page, { octets: made, encoding }),
        () => send(request, reply, page, { octets, encoding: undefined }),
      );
  }
}

interface Form {
  octets: string;
  encoding: TextEncoding | undefined;
}

function send({ method }: FastifyRequest, reply: FastifyReply, page: ServedPage, { octets, encoding }: Form): void {
  const raw = writeHead(reply, page, { encoding, length: octets.length });
  if (method === "HEAD") raw.end();
  else raw.end(octets, "latin1");
}

const running = new WeakMap<ServedPage, Map<TextEncoding, Promise<string>>>();

/** Once, however many wait for it. */
function encode(page: ServedPage, encoding: TextEncoding): Promise<string> {
  const forms = running.get(page) ?? new Map<TextEncoding, Promise<string>>();
  running.set(page, forms);
  const known = forms.get(encoding);
  if (known) return known;
  const made = compress(Buffer.from(page.octets, "latin1"), encoding).then((bytes) => {
    const octets = bytes.toString("latin1");
    forms.delete(encoding);
    page.encoded.set(encoding, octets);
    page.onEncoded?.(octets.length);
    return octets;
  });
  forms.set(encoding, made);
  return made;
}

interface Head {
  encoding: TextEncoding | undefined;
  length?: number;
  status?: number;
}

/** Past the framework, which would look at each header again. */
function writeHead(reply: FastifyReply, page: ServedPage, head: Head): ServerResponse {
  const status = head.status ?? page.status;
  reply.code(status);
  // A script of another origin asks: what it may read differs by origin.
  const isPlain = page.etag !== undefined && reply.request.headers.origin === undefined;
  const fields = isPlain ? preparedFields(reply, page, head) : ownFields(reply, page, head);
  const { raw } = reply.hijack();
  return raw.writeHead(status, fields as never);
}

function ownFields(reply: FastifyReply, page: ServedPage, head: Head): Fields {
  const { "x-robots-tag": _robots, ...own } = reply.getHeaders();
  return { ...(own as Fields), ...pageFields(page, head, own.vary as string | undefined) };
}

type Fields = Record<string, string | number>;

/** What a client that has the page learns with 304 (RFC 9110, 15.4.5); it has the rest. */
const renewed = new Set(["cache-control", "cache-tag", "expires", "vary"]);

function pageFields(page: ServedPage, { encoding, length, status }: Head, ownVary: string | undefined): Fields {
  const { headers, etag } = page;
  const isRenewal = status === 304;
  const fields: Fields = isRenewal
    ? Object.fromEntries(Object.entries(headers).filter(([name]) => renewed.has(name)))
    : { ...headers };
  if (etag !== undefined) {
    fields.etag = encodedTag(etag, encoding);
    const vary = withVary(headers.vary, "Accept-Encoding");
    fields.vary = ownVary === undefined ? vary : withVary(vary, ownVary);
  }
  if (encoding !== undefined && !isRenewal) fields["content-encoding"] = encoding;
  if (length !== undefined) fields["content-length"] = length;
  return fields;
}

/** Names and values in turn, by page and form: only the last value, the id of the request, differs from answer to answer. */
const prepared = new WeakMap<ServedPage, Map<string, (string | number)[]>>();

function preparedFields(reply: FastifyReply, page: ServedPage, head: Head): (string | number)[] {
  const forms = prepared.get(page) ?? new Map<string, (string | number)[]>();
  if (forms.size === 0) prepared.set(page, forms);
  const vary = reply.getHeader("vary") as string | undefined;
  const name = `${head.status ?? 0} ${head.encoding ?? ""} ${head.length ?? ""} ${vary ?? ""}`;
  let list = forms.get(name);
  if (!list) {
    const always: Fields = head.status === 304 ? {} : { "x-content-type-options": "nosniff" };
    list = [...Object.entries({ ...always, ...pageFields(page, head, vary) }).flat(), "x-request-id", ""];
    forms.set(name, list);
  }
  list[list.length - 1] = reply.request.id;
  return list;
}
