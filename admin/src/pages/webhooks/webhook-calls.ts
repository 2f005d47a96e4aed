// Webhooks on the server: what pages read and change of them.

import type { Delivery, DeliveryWithRequest, ListedWebhook, Webhook } from "@contract/webhooks.ts";
import { keepPreviousData, type QueryClient, queryOptions } from "@tanstack/react-query";
import { ask, askData } from "#api/client.ts";
import { routes } from "#api/routes.ts";

export const webhooksQuery = queryOptions({
  queryKey: ["webhooks"],
  queryFn: ({ signal }) => askData<ListedWebhook[]>(routes.webhooks, { signal }),
});

export interface StoredWebhook {
  hook: Webhook;
  etag: string;
}

export async function fetchWebhook(id: string, signal?: AbortSignal): Promise<StoredWebhook> {
  const { data, etag } = await ask<Webhook>(routes.webhook, { path: { id }, signal });
  return { hook: data, etag };
}

export interface DeliveryPage {
  deliveries: Delivery[];
  total: number;
}

/** Asked again every second while one of them waits for its next second, else every 15 s. */
export function deliveriesQuery(id: string, limit: number) {
  return queryOptions({
    queryKey: ["webhooks", id, "deliveries", limit],
    queryFn: async ({ signal }): Promise<DeliveryPage> => {
      const { data, meta } = await ask<Delivery[]>(routes.deliveries, { path: { id }, query: { limit }, signal });
      return { deliveries: data, total: Number(meta.total ?? data.length) };
    },
    refetchInterval: ({ state }) => (isUnderWay(state.data) ? 1_000 : 15_000),
    placeholderData: keepPreviousData,
  });
}

/** One is sent now, or within moments. */
function isUnderWay(page: DeliveryPage | undefined): boolean {
  const soon = Date.now() + 10_000;
  return (page?.deliveries ?? []).some(
    ({ status, nextAttempt }) => status === "queued" && Date.parse(nextAttempt ?? "") < soon,
  );
}

export function deliveryQuery(id: string, delivery: string) {
  return queryOptions({
    queryKey: ["webhooks", id, "delivery", delivery],
    queryFn: ({ signal }) => askData<DeliveryWithRequest>(routes.delivery, { path: { id, delivery }, signal }),
    gcTime: 0,
  });
}

export type WithSecret = Webhook & { secret: string };

/** After a change: the list, this one, and the marks in the sidebar. */
export async function refreshWebhooks(queries: QueryClient): Promise<void> {
  void queries.invalidateQueries({ queryKey: ["start"] });
  await queries.invalidateQueries({ queryKey: ["webhooks"] });
}

/** A webhook may have no name. */
export function titleOf({ name, url }: Pick<Webhook, "name" | "url">): string {
  return name.trim() || url;
}
