// A request of any method to an address from outside, under the same guard as guarded-fetch.ts: every
// connection goes only to an address that was checked. A bounded part of the answer is read.
// All network failures look alike, so that they cannot be used to explore the network.

import type * as Undici from "undici";
import { CairnError, fail } from "#base/errors.ts";
import { lazily } from "#base/lazy.ts";
import { type Guard, guardedConnector, parseAddress, redirectOf } from "./guarded-fetch.ts";
import { findStandIn } from "./stand-ins.ts";

const undici = lazily<typeof Undici>("undici");

export interface GuardedRequest extends Guard {
  method: string;
  headers: Record<string, string>;
  body?: string | undefined;
  maxRedirects: number;
  /** Bytes beyond it are not read. */
  maxBytes: number;
  signal?: AbortSignal | undefined;
}

export interface GuardedAnswer {
  status: number;
  headers: Record<string, string>;
  body: Buffer;
  isCut: boolean;
}

/** Headers that may be sent to a different host. Any other may contain a credential and is sent to its own host only. */
const plainHeaders = /^(accept|accept-language|content-type|user-agent)$/i;

/** Fails with invalid for an invalid web address, refused for everything else; any status is an answer. */
export async function guardedRequest(address: string, options: GuardedRequest): Promise<GuardedAnswer> {
  let url = parseAddress(address) ?? fail("invalid", "The address must be an http or https URL without credentials.");
  const standIn = findStandIn(url.host);
  if (standIn) return standIn({ ...options, url });
  let { method, headers, body } = options;
  const agent = new (undici().Agent)({ connect: guardedConnector(options) });
  const patience = AbortSignal.any([
    AbortSignal.timeout(options.timeoutMs),
    ...(options.signal ? [options.signal] : []),
  ]);
  try {
    for (let hop = 0; ; hop += 1) {
      const answer = await undici().request(url, {
        dispatcher: agent,
        method: method as Undici.Dispatcher.HttpMethod,
        headers,
        body: body ?? null,
        signal: patience,
      });
      const target = options.maxRedirects > 0 ? redirectOf(answer, url) : undefined;
      if (!target) return await readResponse(answer, options.maxBytes);
      answer.body.on("error", () => {}).destroy();
      if (hop === options.maxRedirects) throw refusal();
      if (target.origin !== url.origin) headers = withoutOwn(headers);
      if (answer.statusCode < 307 && method !== "GET" && method !== "HEAD") {
        method = "GET";
        body = undefined;
      }
      url = target;
    }
  } catch (error) {
    throw error instanceof CairnError ? error : refusal();
  } finally {
    await agent.destroy();
  }
}

function withoutOwn(headers: Record<string, string>): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => plainHeaders.test(name)));
}

async function readResponse(answer: Undici.Dispatcher.ResponseData, maxBytes: number): Promise<GuardedAnswer> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of answer.body as AsyncIterable<Buffer>) {
    chunks.push(chunk);
    length += chunk.length;
    if (length > maxBytes) break;
  }
  const headers = Object.entries(answer.headers).map(([name, value]) => [name, String(value)]);
  return {
    status: answer.statusCode,
    headers: Object.fromEntries(headers) as Record<string, string>,
    body: Buffer.concat(chunks).subarray(0, maxBytes),
    isCut: length > maxBytes,
  };
}

function refusal(): CairnError {
  return new CairnError("refused", "The address could not be reached.");
}
