// Sends a page of the site: 304 to clients that have it, else its bytes in the encoding that the client takes. Encoded forms are
// made once and stay with the page.

import type { IncomingHttpHeaders, ServerResponse } from "node:http";
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

/** An answer that needs nothing but an id: the second of the names and values in `head`. */
export interface ReadyAnswer {
  status: number;
  head: string[];
  /** Absent: no body. */
  octets: string | undefined;
}

/** Undefined: something has to be decided, or made first. */
export function readyAnswer(headers: IncomingHttpHeaders, page: ServedPage): ReadyAnswer | undefined {
  const { octets, etag } = page;
  if (page.status !== 200 || etag === undefined) return undefined;
  const encoding = encodingFor(headers["accept-encoding"], octets.length);
  const sent = headers["if-none-match"];
  if (sent !== undefined && namesTag(sent, etag)) return readyForm(page, encoding, { isUnchanged: true });
  const known = encoding === undefined ? octets : page.encoded.get(encoding);
  return known === undefined ? undefined : readyForm(page, encoding, { octets: known });
}

function readyForm(
  page: ServedPage,
  encoding: TextEncoding | undefined,
  { octets, isUnchanged = false }: { octets?: string; isUnchanged?: boolean },
): ReadyAnswer {
  const form = headOf(page, encoding, isUnchanged);
  if (form.ready) return form.ready;
  const { fixed, vary } = form;
  const head = ["x-request-id", "", ...fixed];
  if (vary !== undefined) head.push("vary", vary);
  if (octets !== undefined) head.push("content-length", String(octets.length));
  form.ready = { status: isUnchanged ? 304 : 200, head, octets };
  return form.ready;
}

interface Head {
  encoding: TextEncoding | undefined;
  length?: number;
  status?: number;
}

/** Set by hooks before. What else they set is for the API, and pages have their own. */
const carried = ["access-control-allow-origin", "access-control-expose-headers"];

/** Past the framework, which would look at each header again. */
function writeHead(reply: FastifyReply, page: ServedPage, { encoding, length, status }: Head): ServerResponse {
  const { fixed, vary } = headOf(page, encoding, status === 304);
  const headers = [...fixed, "x-request-id", reply.request.id];
  const origin = reply.getHeader("vary");
  if (origin !== undefined) headers.push("vary", withVary(vary, String(origin)));
  else if (vary !== undefined) headers.push("vary", vary);
  if (length !== undefined) headers.push("content-length", String(length));
  for (const name of carried) {
    const value = reply.getHeader(name);
    if (value !== undefined) headers.push(name, String(value));
  }
  reply.code(status ?? page.status);
  const { raw } = reply.hijack();
  return raw.writeHead(status ?? page.status, headers);
}

interface PageHead {
  /** Names and values in turn, as Node sends them. */
  fixed: string[];
  vary: string | undefined;
  ready?: ReadyAnswer;
}

const heads = new WeakMap<ServedPage, Map<string, PageHead>>();

/** The same for every request: made once for each form of a page. */
function headOf(page: ServedPage, encoding: TextEncoding | undefined, isUnchanged: boolean): PageHead {
  const known = heads.get(page) ?? new Map<string, PageHead>();
  if (known.size === 0) heads.set(page, known);
  const form = isUnchanged ? `${encoding} 304` : `${encoding}`;
  let head = known.get(form);
  if (head === undefined) {
    head = makeHead(page, encoding, isUnchanged);
    known.set(form, head);
  }
  return head;
}

/** What a client that has the page must hear again; the tag stands for all other headers. */
const repeated = ["cache-control", "cache-tag"];

function makeHead(page: ServedPage, encoding: TextEncoding | undefined, isUnchanged: boolean): PageHead {
  const { vary, ...own } = page.headers;
  const headers: Record<string, string> = { "x-content-type-options": "nosniff" };
  for (const [name, value] of Object.entries(own)) if (!isUnchanged || repeated.includes(name)) headers[name] = value;
  if (page.etag !== undefined) headers.etag = encodedTag(page.etag, encoding);
  if (encoding !== undefined && !isUnchanged) headers["content-encoding"] = encoding;
  return {
    fixed: Object.entries(headers).flat(),
    vary: page.etag === undefined ? vary : withVary(vary, "Accept-Encoding"),
  };
}
