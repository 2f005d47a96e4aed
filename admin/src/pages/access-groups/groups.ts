// Access groups and their members, as the server has them.

import type { AccessGroup } from "@contract/access-groups.ts";
import type { Option } from "@contract/admin.ts";
import { queryOptions } from "@tanstack/react-query";
import { ask, askData } from "#api/client.ts";
import { routes } from "#api/routes.ts";

export const groupsQuery = queryOptions({
  queryKey: ["groups"],
  queryFn: ({ signal }) => askData<AccessGroup[]>(routes.groups, { signal }),
});

/** By group: how many users are in it. */
export const memberCountsQuery = queryOptions({
  queryKey: ["objects", "auth", "counts"],
  queryFn: async ({ signal }) => {
    const query = { collection: "auth", property: "groups", limit: 1_000 };
    const found = await askData<Option[]>(routes.options, { path: { source: "values" }, query, signal });
    return new Map(found.map(({ value, count = 0 }) => [value, count]));
  },
});

export function fetchGroup(id: string, signal?: AbortSignal): Promise<AccessGroup> {
  return askData<AccessGroup>(routes.group, { path: { id }, signal });
}

export const groupQuery = (id: string) =>
  queryOptions({
    queryKey: ["groups", id],
    queryFn: ({ signal }) => fetchGroup(id, signal),
    // What is typed must not change because somebody looks at another window.
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  });

export interface Member {
  id: string;
  name?: string;
  email?: string;
}

export interface Members {
  shown: Member[];
  total: number;
}

const shownMembers = 50;

/** Of the group of all without a group these are the users without one. */
export const membersQuery = (id: string) =>
  queryOptions({
    queryKey: ["objects", "auth", "members", id],
    queryFn: async ({ signal }): Promise<Members> => {
      const filter = id === "default" ? { "filter[groups][empty]": "true" } : { "filter[groups]": id };
      const query = { ...filter, include: "id,name,email", sort: "name", limit: shownMembers };
      const { data, headers } = await ask<Member[]>(routes.query, { path: { collection: "auth" }, query, signal });
      return { shown: data, total: Number(headers.get("x-total-count") ?? data.length) };
    },
  });

export function saveGroup(group: AccessGroup, isNew: boolean, query: { confirm?: string }): Promise<AccessGroup> {
  return isNew
    ? askData<AccessGroup>(routes.createGroup, { query, body: group })
    : askData<AccessGroup>(routes.replaceGroup, { path: { id: group.id }, query, body: group });
}

export async function deleteGroup(id: string): Promise<void> {
  await ask(routes.deleteGroup, { path: { id } });
}
