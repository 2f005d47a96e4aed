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

let lastPath: string | undefined;

/** `back`: path and query of the page that was asked for. `isAhead`: it is only fetched in case somebody opens it. */
export async function requireSession(back: string, isAhead: boolean): Promise<void> {
  try {
    await queryClient.ensureQueryData(startQuery);
    isSignedOut = false;
    if (!isAhead) renewOnMove(back);
  } catch (error) {
    if (!(error instanceof ApiError) || error.status !== 401) throw error;
    isSignedOut = true;
    const search = back === "/admin" || back === "/admin/" ? {} : { redirect: back };
    throw redirect({ to: "/admin/login", search, replace: true });
  }
}

/** Rights may have changed meanwhile: each page that is opened asks for them again, without waiting for the answer. */
function renewOnMove(back: string): void {
  const [path] = back.split("?");
  if (lastPath !== undefined && lastPath !== path)
    void queryClient.invalidateQueries({ queryKey: startQuery.queryKey });
  lastPath = path;
}
