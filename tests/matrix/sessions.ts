// Users for tests, made by command or over HTTP, and their sessions. Builds and carries; never asserts.

import type { Server } from "../harness.ts";

export const password = "correct-horse-battery";

/** The headers that speak for a signed-in user, on reads and writes. */
export interface SessionHeaders extends Record<string, string> {
  cookie: string;
  "x-csrf-token": string;
}

export async function makeUser(server: Server, id: string, groups: string[]): Promise<void> {
  const body = { id, email: `${id}@example.org`, password, groups, active: true };
  const { status, text } = await server.request("POST", "/api/collections/auth", { body });
  if (status !== 201) throw new Error(`user ${id}: ${status} ${text}`);
}

/** With the password confirmed: administrators make power changes. */
export async function signIn(server: Server, id: string): Promise<SessionHeaders> {
  const body = { email: `${id}@example.org`, password };
  const headers = sessionOf(await server.request("POST", "/api/auth/login", { key: null, body }));
  const confirmed = await server.request("POST", "/api/auth/confirm", { key: null, headers, body: { password } });
  if (confirmed.status !== 200) throw new Error(`${id} cannot confirm: ${confirmed.status} ${confirmed.text}`);
  return headers;
}

/** From the answer to a login. */
export function sessionOf(answer: Awaited<ReturnType<Server["request"]>>): SessionHeaders {
  const cookie = answer.headers.get("set-cookie")?.split(";")[0];
  if (!cookie || answer.status !== 200) throw new Error(`no session: ${answer.status} ${answer.text}`);
  return { cookie, "x-csrf-token": answer.body.data.csrfToken };
}

export async function makeGroup(server: Server, id: string, permissions: object): Promise<void> {
  const { status, text } = await server.request("PUT", `/api/access-groups/${id}`, { body: { permissions } });
  if (status !== 201 && status !== 200) throw new Error(`group ${id}: ${status} ${text}`);
}
