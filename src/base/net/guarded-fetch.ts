// Fetches a file from an address that a caller names, without giving the caller access to our own network.
// Every connection, of every redirect, goes only to an address that was checked at that moment; names are resolved
// here, and the resolved address is the one that is used. All failures look alike: they disclose nothing about the network.

import type { LookupAddress } from "node:dns";
import { lookup } from "node:dns/promises";
import { isIP, type LookupFunction } from "node:net";
import { pipeline, type Transform } from "node:stream";
import { createBrotliDecompress, createGunzip, createInflate } from "node:zlib";
import ipaddr from "ipaddr.js";
import type * as Undici from "undici";
import type { Agent, buildConnector, Dispatcher } from "undici";
import { CairnError, fail } from "#base/errors.ts";
import { lazily } from "#base/lazy.ts";

const undici = lazily<typeof Undici>("undici");

export interface FetchOptions {
  /** For tests and intranets: no address is refused. */
  allowPrivateHosts: boolean;
  maxRedirects: number;
  /** To the first byte, redirects included; a third of it for any pause later, and twice for a body that trickles. */
  timeoutMs: number;
  /** As received, and as unpacked. */
  maxBytes: number;
  /** For tests: replaces name resolution and the check for public addresses. */
  resolve?: Resolve;
  isPublic?: (address: string) => boolean;
}

export type Resolve = (hostname: string) => Promise<LookupAddress[]>;

export interface Fetched {
  /** To be read to its end, or abandoned while reading. */
  body: AsyncIterable<Uint8Array>;
  /** The last segment of the address, unchanged: not yet safe as a file name. */
  name: string;
  /** The content type that the server claims. */
  type: string;
}

/** A body of at least this pace, in bytes a millisecond, has no time limit. */
const slowestPace = 64;

const headers = { "user-agent": "Cairn", accept: "*/*", "accept-encoding": "identity" };

/** Fails with invalid for an invalid web address, too-large, or refused for everything else. */
export async function guardedFetch(address: string, options: FetchOptions): Promise<Fetched> {
  let url = parseAddress(address) ?? fail("invalid", "The address must be an http or https URL without credentials.");
  const agent = new (undici().Agent)({
    connect: guardedConnector(options),
    headersTimeout: options.timeoutMs,
    bodyTimeout: Math.ceil(options.timeoutMs / 3),
  });
  const patience = new AbortController();
  const timer = setTimeout(() => patience.abort(), options.timeoutMs);
  try {
    for (let hop = 0; hop <= options.maxRedirects; hop++) {
      const answer = await undici().request(url, { dispatcher: agent, headers, signal: patience.signal });
      if (answer.statusCode === 200) return presentResponse(agent, url, { answer, options });
      answer.body.on("error", () => {}).destroy();
      url = redirectOf(answer, url) ?? refuse();
    }
    return refuse();
  } catch (error) {
    await agent.destroy();
    throw error instanceof CairnError ? error : refusal();
  } finally {
    clearTimeout(timer);
  }
}

/** A web address without credentials. */
export function parseAddress(address: string, base?: URL): URL | undefined {
  const url = URL.parse(address, base?.href);
  if (url?.protocol !== "http:" && url?.protocol !== "https:") return undefined;
  return url.username === "" && url.password === "" ? url : undefined;
}

export function redirectOf({ statusCode, headers: { location } }: Dispatcher.ResponseData, from: URL): URL | undefined {
  const isRedirect = [301, 302, 303, 307, 308].includes(statusCode);
  return isRedirect && typeof location === "string" ? parseAddress(location, from) : undefined;
}

export type Guard = Pick<FetchOptions, "allowPrivateHosts" | "timeoutMs" | "resolve" | "isPublic">;

/**
 * For callers that may know the settings: a failure names the one that refuses private addresses. Every failure gets the same
 * text, so that it tells nothing about the network.
 */
export function nameSetting(error: unknown, setting: string): unknown {
  if (!(error instanceof CairnError) || error.word !== "refused") return error;
  const hint = `Private and local addresses are refused unless the setting ${setting} allows them.`;
  return new CairnError("refused", `${error.message} ${hint}`);
}

/** A literal address never reaches the resolver, so both are guarded. */
export function guardedConnector(options: Guard): buildConnector.connector {
  const { allowPrivateHosts, timeoutMs, resolve = resolveAll, isPublic = isPublicAddress } = options;
  const isAllowed = (address: string) => allowPrivateHosts || isPublic(address);
  const guardedLookup: LookupFunction = (hostname, { all }, callback) => {
    resolve(hostname).then(
      (addresses) => {
        const [first] = addresses;
        // A private address among public ones is a trap.
        if (!first || !addresses.every(({ address }) => isAllowed(address))) callback(new Error("not allowed"), "");
        else if (all) callback(null, addresses);
        else callback(null, first.address, first.family);
      },
      (error) => callback(error, ""),
    );
  };
  const connect = undici().buildConnector({ timeout: timeoutMs, lookup: guardedLookup });
  return (target, callback) => {
    const host = target.hostname.replace(/^\[|\]$/g, "");
    if (isIP(host) && !isAllowed(host)) callback(new Error("not allowed"), null);
    else connect(target, callback);
  };
}

function resolveAll(hostname: string): Promise<LookupAddress[]> {
  return lookup(hostname, { all: true });
}

/** Looks public, but answers virtual machines with their own data: Azure's host. */
const insideClouds: ReadonlySet<string> = new Set(["168.63.129.16"]);

/** A public address: not loopback, private, link-local, reserved or translated. */
export function isPublicAddress(address: string): boolean {
  const parsed = ipaddr.process(address);
  // Outside of 2000::/3 no public IPv6 address is assigned, whatever the list of special ones says.
  const isGlobal = parsed instanceof ipaddr.IPv4 || parsed.match(ipaddr.IPv6.parse("2000::"), 3);
  return isGlobal && parsed.range() === "unicast" && !insideClouds.has(parsed.toString());
}

interface Answered {
  answer: Dispatcher.ResponseData;
  options: FetchOptions;
}

function presentResponse(agent: Agent, url: URL, { answer, options }: Answered): Fetched {
  const { "content-length": length, "content-type": type = "", "content-encoding": encoding = "" } = answer.headers;
  const decoder = decoderFor(String(encoding));
  if (decoder === undefined) refuse();
  if (Number(length) > options.maxBytes) tooLarge(options.maxBytes);
  const received = measure(answer.body, options);
  const body = decoder ? cap(decode(received, decoder), options.maxBytes) : received;
  return { body: finish(body, agent), name: nameOf(url), type: String(type) };
}

/** Null: nothing to unpack. Undefined: an unknown encoding that was not requested. */
function decoderFor(encoding: string): (() => Transform) | null | undefined {
  const decoders: Record<string, (() => Transform) | null> = {
    "": null,
    identity: null,
    gzip: createGunzip,
    "x-gzip": createGunzip,
    deflate: createInflate,
    br: createBrotliDecompress,
  };
  return Object.hasOwn(decoders, encoding.toLowerCase()) ? decoders[encoding.toLowerCase()] : undefined;
}

async function* measure(source: AsyncIterable<Uint8Array>, { timeoutMs, maxBytes }: FetchOptions) {
  const deadline = Date.now() + 2 * timeoutMs;
  let received = 0;
  for await (const bytes of source) {
    received += bytes.length;
    if (received > maxBytes) tooLarge(maxBytes);
    if (Date.now() > deadline + received / slowestPace) refuse();
    yield bytes;
  }
}

function decode(source: AsyncIterable<Uint8Array>, decoder: () => Transform): AsyncIterable<Uint8Array> {
  // The error, if any, is thrown where the stream is read.
  return pipeline(source, decoder(), () => {});
}

async function* cap(source: AsyncIterable<Uint8Array>, maxBytes: number) {
  let size = 0;
  for await (const bytes of source) {
    size += bytes.length;
    if (size > maxBytes) tooLarge(maxBytes);
    yield bytes;
  }
}

async function* finish(source: AsyncIterable<Uint8Array>, agent: Agent) {
  try {
    yield* source;
  } catch (error) {
    throw error instanceof CairnError ? error : refusal();
  } finally {
    await agent.destroy();
  }
}

function nameOf(url: URL): string {
  const segment = url.pathname.split("/").at(-1) as string;
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}

function tooLarge(maxBytes: number): never {
  fail("too-large", `The file is larger than ${maxBytes} bytes.`);
}

function refuse(): never {
  throw refusal();
}

function refusal(): CairnError {
  return new CairnError("refused", "The file could not be fetched from that address.");
}
