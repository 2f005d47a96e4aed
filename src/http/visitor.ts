// The visitor of a page: by the session cookie alone. An ended session counts as none: the login page begins a new one.

import type { FastifyRequest } from "fastify";
import { findSignedIn, type SignedIn } from "#access/signed-in.ts";
import type { App } from "#context.ts";
import { findSessionCookie } from "./cookies.ts";

export async function findVisitor(app: App, { headers }: FastifyRequest): Promise<SignedIn | undefined> {
  const cookie = findSessionCookie(headers.cookie);
  return cookie === undefined ? undefined : findSignedIn(app, cookie);
}
