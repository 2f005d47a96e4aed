// The settings of a collection on the server, as their form holds them.

import type { JsonObject } from "@contract/json.ts";
import { ask } from "#api/client.ts";
import { routes } from "#api/routes.ts";
import type { Stored } from "#form/editing/begin.ts";
import { editedPart } from "./setting-fields.ts";

interface Answer {
  data: JsonObject;
  etag: string;
}

export function storedOf({ data, etag }: Answer): Stored {
  return { values: editedPart(data), etag };
}

export async function fetchAnswer(collection: string, signal?: AbortSignal): Promise<Answer> {
  return ask<JsonObject>(routes.collectionSettings, { path: { collection }, signal });
}

export async function fetchSettings(collection: string): Promise<Stored> {
  return storedOf(await fetchAnswer(collection));
}
