// API keys, as the server has them.

import type { ApiKey, KeyMethod } from "@contract/keys.ts";
import { queryOptions } from "@tanstack/react-query";
import { ask, askData } from "#api/client.ts";
import { routes } from "#api/routes.ts";

export const keysQuery = queryOptions({
  queryKey: ["keys"],
  queryFn: ({ signal }) => askData<ApiKey[]>(routes.keys, { signal }),
});

export interface KeyRequest {
  name: string;
  methods: KeyMethod[];
  endpoints: string[];
  published: boolean;
}

export type MadeApiKey = ApiKey & { key: string };

export function createKey(body: KeyRequest): Promise<MadeApiKey> {
  return askData<MadeApiKey>(routes.createKey, { body });
}

export async function deleteKey(id: string): Promise<void> {
  await ask(routes.deleteKey, { path: { id } });
}
