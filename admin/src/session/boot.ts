// Before the first page: who is signed in. Without a session the sign-in page comes first and leads back.

import { redirect } from "@tanstack/react-router";
import { ApiError } from "#api/api-error.ts";
import { queryClient } from "./query-client.ts";
import { startQuery } from "./start.ts";

let isSignedOut = false;

/** False once the server has said that there is no session. */
export function mayBeSignedIn(): boolean {
  return !isSignedOut;
}

/** `back`: path and query of the page that was asked for. */
export async function requireSession(back: string): Promise<void> {
  try {
    await queryClient.ensureQueryData(startQuery);
    isSignedOut = false;
  } catch (error) {
    if (!(error instanceof ApiError) || error.status !== 401) throw error;
    isSignedOut = true;
    const search = back === "/admin" || back === "/admin/" ? {} : { redirect: back };
    throw redirect({ to: "/admin/login", search, replace: true });
  }
}
