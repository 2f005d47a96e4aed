// All that the page of an object needs before it can be drawn: the description of its form, the object, kept changes.

import type { AdminCollection, FormDescription } from "@contract/admin.ts";
import type { JsonObject } from "@contract/json.ts";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { ApiError } from "#api/api-error.ts";
import { ask, askData } from "#api/client.ts";
import { routes } from "#api/routes.ts";
import type { KeptEntry } from "#form/kept.ts";
import { findKept } from "#form/use-kept.ts";

/** In the address and in kept changes it stands for the id of a new object. */
export const newId = "-new";

export interface StoredObject {
  data: JsonObject;
  etag: string;
}

export interface OpenedObject {
  form: FormDescription;
  /** Absent: it is new. */
  object: StoredObject | undefined;
  kept: KeptEntry | undefined;
}

export async function fetchObject(collection: string, id: string, signal?: AbortSignal): Promise<StoredObject> {
  const { data, etag } = await ask<JsonObject>(routes.object, { path: { collection, id }, signal });
  return { data, etag };
}

/** What is typed must not change because somebody looks at another window. */
const once = {
  staleTime: Number.POSITIVE_INFINITY,
  gcTime: 0,
  refetchOnWindowFocus: false,
  refetchOnReconnect: false,
} as const;

interface Opening {
  opened: OpenedObject | undefined;
  error: Error | null;
  retry: () => void;
}

/** `id` undefined: a new object. `shown`: the id that it has by now. */
export function useOpenObject(
  user: string,
  collection: AdminCollection,
  id: string | undefined,
  shown: string | undefined,
): Opening {
  const name = collection.id;
  const object = useQuery({
    queryKey: ["object", name, id],
    queryFn: async ({ signal }) => {
      try {
        return await fetchObject(name, id as string, signal);
      } catch (error) {
        // The one object of a singleton may not be there yet.
        if (error instanceof ApiError && error.status === 404 && collection.singleton && id === name) return null;
        throw error;
      }
    },
    enabled: id !== undefined,
    ...once,
  });
  const isThere = shown !== undefined && object.data !== null;
  const form = useQuery({
    queryKey: ["form", name, isThere ? shown : newId],
    queryFn: ({ signal }) =>
      askData<FormDescription>(routes.form, {
        path: { collection: name },
        query: isThere ? { object: shown } : {},
        signal,
      }),
    placeholderData: keepPreviousData,
    ...once,
  });
  const kept = useQuery({
    queryKey: ["kept", user, name, id ?? newId],
    queryFn: async () => (await findKept({ user, collection: name, id: id ?? newId })) ?? null,
    ...once,
  });
  const isReady = form.data && kept.data !== undefined && (id === undefined || object.data !== undefined);
  return {
    opened: isReady ? { form: form.data, object: object.data ?? undefined, kept: kept.data ?? undefined } : undefined,
    error: object.error ?? form.error,
    retry: () => {
      if (object.error) void object.refetch();
      if (form.error) void form.refetch();
    },
  };
}
