// Extensions as the server answers them, and the decisions about one.

import type { ExtensionDetails, ExtensionRecord } from "@contract/extensions.ts";
import { type QueryClient, queryOptions } from "@tanstack/react-query";
import { ApiError } from "#api/api-error.ts";
import { ask, askData } from "#api/client.ts";
import { routes } from "#api/routes.ts";
import { startQuery } from "#session/start.ts";

export const extensionsQuery = queryOptions({
  queryKey: ["extensions"],
  queryFn: ({ signal }) => askData<ExtensionRecord[]>(routes.extensions, { signal }),
});

export const extensionQuery = (id: string) =>
  queryOptions({
    queryKey: ["extensions", id],
    queryFn: ({ signal }) => askData<ExtensionDetails>(routes.extension, { path: placeOf(id), signal }),
  });

/** The two parts of an id. */
export function placeOf(id: string): { vendor: string; name: string } {
  const [vendor = "", name = ""] = id.split("/");
  return { vendor, name };
}

export async function refreshExtensions(queries: QueryClient): Promise<void> {
  await Promise.all([
    queries.invalidateQueries({ queryKey: extensionsQuery.queryKey }),
    queries.invalidateQueries({ queryKey: startQuery.queryKey }),
  ]);
}

/** `approve`: the fingerprint that was reviewed. */
export function enable(id: string, body: { approve?: string; switches?: Record<string, boolean> } = {}) {
  return ask<ExtensionRecord>(routes.enableExtension, { path: placeOf(id), body });
}

export function disable(id: string, withOthers = false) {
  return ask(routes.disableExtension, { path: placeOf(id), ...(withOthers && { query: { cascade: true } }) });
}

export function needsReview(error: unknown): boolean {
  return error instanceof ApiError && error.status === 409 && error.details.fingerprint !== undefined;
}

/** Others need the extension. */
export function isNeeded(error: unknown): error is ApiError {
  return error instanceof ApiError && error.status === 409;
}

/** A capability can be switched and the extension be enabled. */
export function isUsable({ state }: Pick<ExtensionRecord, "state">): boolean {
  return state !== "invalid" && state !== "incompatible";
}
