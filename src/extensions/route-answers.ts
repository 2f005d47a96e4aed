// What is left of the answer of a route: a status, headers that cannot act for the site, and a body.

import type { Json } from "#contract/json.ts";
import type { JsonCheck } from "#schemas/json-schema.ts";
import { Written } from "./host/host.ts";

export interface SentAnswer {
  status: number;
  headers: Record<string, string>;
  body: string | Uint8Array | ReadableStream | undefined;
}

interface AnswerLimits {
  /** Of the site: answers redirect to nowhere else. */
  baseUrl: string;
  /** It may set cookies of its own. */
  mayCookie?: boolean;
  /** Of JSON that is no error. */
  checkBody: JsonCheck | undefined;
}

/** For the log of the extension, after the name of the route. */
interface Problem {
  problem: string;
}

/** A page of an extension runs nothing with the rights of the site. */
const policy = "default-src 'none'; img-src 'self' data:; style-src 'unsafe-inline'; frame-ancestors 'none'; sandbox";

export function readAnswer(answer: unknown, { baseUrl, checkBody, mayCookie }: AnswerLimits): SentAnswer | Problem {
  if (answer !== undefined && !isRecord(answer)) return { problem: "did not answer an object" };
  const { status = 200, headers = {}, body = null } = answer ?? {};
  if (typeof status !== "number" || !Number.isInteger(status) || status < 200 || status > 599)
    return { problem: "answered a status that is no integer from 200 to 599" };
  const kept = readHeaders(headers, baseUrl);
  const cookie = mayCookie && isRecord(headers) ? cookieOf(headers["set-cookie"], baseUrl) : undefined;
  const own = kept && { ...kept, ...(cookie !== undefined && { "set-cookie": cookie }) };
  if (own === undefined) return { problem: "answered headers that are not valid" };
  const send = (type: string, sent: SentAnswer["body"]): SentAnswer => ({
    status,
    headers: { "content-type": type, ...own, "content-security-policy": policy },
    body: sent,
  });
  if (bodiless.has(status)) return { status, headers: own, body: undefined };
  if (body instanceof Written && body.type !== "json") return send(types[body.type], body.written);
  if (typeof body === "string") return send(types.text, body);
  if (body instanceof Uint8Array || body instanceof ReadableStream) return send(types.bytes, body);
  const json = body instanceof Written ? body : jsonOf(body);
  if (json === undefined) return { problem: "answered a body that is no JSON" };
  const refused = status < 300 && checkBody ? refusedBy(checkBody, json.text()) : "";
  return refused === "" ? send(types.json, json.written) : { problem: refused };
}

const types = {
  text: "text/plain; charset=utf-8",
  bytes: "application/octet-stream",
  json: "application/json; charset=utf-8",
};
/** Characters of an answer that is read and checked, while others wait. */
const maxChecked = 1_000_000;

function refusedBy(check: JsonCheck, text: string): string {
  if (text.length > maxChecked) return `answered more than ${maxChecked} characters, which is too much for its schema`;
  const [[path, [problem] = []] = []] = Object.entries(check(JSON.parse(text) as Json));
  return path === undefined ? "" : `answered what its schema refuses: ${path} ${problem}`;
}

const bodiless: ReadonlySet<unknown> = new Set([204, 205, 304]);

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function jsonOf(body: unknown): Written | undefined {
  try {
    return new Written({ type: "json", written: JSON.stringify(body) });
  } catch {
    return undefined;
  }
}

// Headers

/** They act for the site, or belong to the connection. */
const dropped = new RegExp(
  `^(${[
    "set-cookie2?",
    "content-security-policy.*",
    "access-control-.*",
    "clear-site-data",
    "refresh",
    "service-worker-allowed",
    "strict-transport-security",
    "x-content-type-options",
    "x-ratelimit-.*",
    "x-request-id",
    "connection",
    "content-length",
    "keep-alive",
    "proxy-.*",
    "te",
    "trailer",
    "transfer-encoding",
    "upgrade",
  ].join("|")})$`,
);

/** Undefined: one is not valid. */
function readHeaders(headers: unknown, baseUrl: string): Record<string, string> | undefined {
  if (!isRecord(headers)) return undefined;
  const kept: [string, string][] = [];
  for (const [name, value] of Object.entries(headers)) {
    const text = typeof value === "number" ? String(value) : value;
    if (!/^[\w!#$%&'*+.^`|~-]+$/.test(name) || typeof text !== "string") return undefined;
    if (!/^[\t\x20-\x7e\x80-\xff]*$/.test(text)) return undefined;
    const lower = name.toLowerCase();
    if (dropped.test(lower) || (lower === "location" && !isOnSite(text, baseUrl))) continue;
    kept.push([lower, text]);
  }
  return Object.fromEntries(kept);
}

/** Of its own name, out of reach for scripts and other sites; only its age is the extension's. Undefined: it is none. */
function cookieOf(sent: unknown, baseUrl: string): string | undefined {
  const found = typeof sent === "string" ? /^(cx-[A-Za-z0-9_-]{1,200})=([\w.~+/=-]{0,2000})(?:;|$)/.exec(sent) : null;
  if (!found) return undefined;
  const age = /;\s*max-age=(\d{1,9})(?:;|$)/i.exec(String(sent))?.[1];
  const parts = [`${found[1]}=${found[2]}`, "Path=/", "HttpOnly", "SameSite=Lax"];
  if (age !== undefined) parts.push(`Max-Age=${age}`);
  if (baseUrl.startsWith("https:")) parts.push("Secure");
  return parts.join("; ");
}

function isOnSite(location: string, baseUrl: string): boolean {
  const target = URL.parse(location, baseUrl);
  return target !== null && target.origin === URL.parse(baseUrl)?.origin;
}
