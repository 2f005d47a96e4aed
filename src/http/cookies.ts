// The session cookie. No script reads it, and other sites' forms do not carry it.

import type { FastifyReply } from "fastify";
import type { StartedSession } from "#access/sessions.ts";
import type { HttpParts } from "./request-helpers.ts";

export const sessionCookie = "cairn_session";
const attributes = "Path=/; HttpOnly; SameSite=Lax";

export function findSessionCookie(header: string | undefined): string | undefined {
  return findCookie(header, sessionCookie);
}

/** Two different ones are invalid: one of them was planted. */
export function findCookie(header: string | undefined, name: string): string | undefined {
  if (header === undefined || !header.includes(name)) return undefined;
  const values = new Set<string>();
  for (const pair of header.split(";")) {
    const at = pair.indexOf("=");
    if (at > 0 && pair.slice(0, at).trim() === name) values.add(pair.slice(at + 1).trim());
  }
  return values.size > 1 ? "" : [...values][0];
}

/** Without `isRemembered` the browser drops it when it is closed. */
export function setSessionCookie(
  reply: FastifyReply,
  door: HttpParts,
  { value, expires }: StartedSession,
  isRemembered: boolean,
): void {
  const seconds = Math.floor((Date.parse(expires) - door.app.clock.now()) / 1_000);
  const age = isRemembered ? `; Max-Age=${seconds}` : "";
  const secure = door.baseUrl().startsWith("https:") ? "; Secure" : "";
  setCookie(reply, `${sessionCookie}=${value}; ${attributes}${age}${secure}`);
}

export function clearSessionCookie(reply: FastifyReply): void {
  setCookie(reply, `${sessionCookie}=; ${attributes}; Max-Age=0`);
}

/** An answer sets each name once: an earlier value is replaced. */
export function setCookie(reply: FastifyReply, cookie: string): void {
  const name = cookie.slice(0, cookie.indexOf("=") + 1);
  const before = [reply.getHeader("set-cookie") ?? []].flat().map(String);
  reply.removeHeader("set-cookie");
  for (const kept of before) if (!kept.startsWith(name)) reply.header("set-cookie", kept);
  reply.header("set-cookie", cookie);
}
