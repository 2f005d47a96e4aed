// Before the first page: who is signed in. Without a session the sign-in page comes first and leads back.

import { redirect } from "@tanstack/react-router";
import { ApiError } from "#api/api-error.ts";
import { queryClient } from "./query-client.ts";
import { startQuery } from "./start.ts";

/** `back`: path and query of the page that was asked for. */
export async function requireSession(back: string): Promise<void> {
  try {
    await queryClient.ensureQueryData(startQuery);
  } catch (error) {
    if (!(error instanceof ApiError) || error.status !== 401) throw error;
    const search = back === "/admin" || back === "/admin/" ? {} : { redirect: back };
    throw redirect({ to: "/admin/login", search, replace: true });
  }
}
