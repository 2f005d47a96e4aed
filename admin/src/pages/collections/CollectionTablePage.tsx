// One collection. A singleton leads to its object, a feature to its own page; all others are a table.

import type { AdminCollection, FormDescription } from "@contract/admin.ts";
import { useQuery } from "@tanstack/react-query";
import { Navigate, useParams, useRouter } from "@tanstack/react-router";
import { lazy, Suspense } from "react";
import { ask } from "#api/client.ts";
import { routes } from "#api/routes.ts";
import { formQuery } from "#session/forms.ts";
import { preferencesQuery } from "#session/preferences.ts";
import { useCan, useCollection } from "#session/start.ts";
import { Failed } from "#shell/LoadState.tsx";
import { linkProps } from "#shell/links.tsx";
import { Page } from "#shell/Page.tsx";
import type { AdminPath } from "#shell/paths.ts";
import { ownPages } from "./own-pages.ts";
import { CollectionTable } from "./table/CollectionTable.tsx";

/** Ready-made collections that the sidebar leads to before they are there. */
const sidebarTables = ["builder-pages", "mcp-prompt"] as const;
const pagesCollection = "builder-pages";
const PageTree = lazy(async () => ({ default: (await import("#pages/site/PageTree.tsx")).PageTree }));
const NotMadeYet = lazy(async () => ({ default: (await import("./NotMadeYet.tsx")).NotMadeYet }));

export function CollectionTablePage() {
  const { collection: id = "" } = useParams({ strict: false });
  const { routesByPath } = useRouter();
  const ownPage = ownPages[id];
  if (ownPage && Object.hasOwn(routesByPath, ownPage))
    return <Navigate {...linkProps({ to: ownPage as AdminPath })} replace />;
  return <CollectionTableOf id={id} />;
}

export function CollectionTableOf({ id }: { id: string }) {
  const collection = useCollection(id);
  const can = useCan();
  const entry = sidebarTables.find((one) => one === id);
  if (!collection && entry && can("create", "collections"))
    return (
      <Suspense>
        <NotMadeYet id={entry} />
      </Suspense>
    );
  if (!collection) return <Page title={id} needs={false} />;
  if (collection.singleton) return <Singleton collection={collection} />;
  return <Loaded key={id} collection={collection} />;
}

function Loaded({ collection }: { collection: AdminCollection }) {
  const can = useCan();
  const form = useQuery(formQuery(collection.id));
  const preferences = useQuery(preferencesQuery);
  const isReady = form.data !== undefined && !preferences.isPending;
  const problem = form.error ? { error: form.error, retry: () => void form.refetch() } : undefined;
  const hasTree = collection.id === pagesCollection && can("read", "builder");
  const beside = hasTree && (
    <Suspense>
      <PageTree />
    </Suspense>
  );
  // One page from the beginning: another one would take the focus from its heading.
  return <CollectionTable {...{ collection, isReady, problem, beside }} form={form.data ?? noForm} />;
}

/** Until the form is there. */
const noForm: FormDescription = {
  collection: "",
  schema: { id: "", properties: {}, required: [], index: [] },
  items: {},
  form: {},
  titleProperty: "id",
  url: "",
  address: "",
  passwords: [],
};

/** Its object, or the form that makes it. */
function Singleton({ collection: { id, name } }: { collection: AdminCollection }) {
  const only = useQuery({
    queryKey: ["objects", id, "only"],
    queryFn: async ({ signal }) => {
      const { data } = await ask<{ id: string }[]>(routes.query, {
        path: { collection: id },
        query: { limit: 1, include: "id" },
        signal,
      });
      return data[0]?.id ?? "";
    },
  });
  if (only.data === "")
    return (
      <Navigate {...linkProps({ to: "/admin/collections/$collection/-new", params: { collection: id } })} replace />
    );
  if (only.data !== undefined)
    return (
      <Navigate
        {...linkProps({ to: "/admin/collections/$collection/$id", params: { collection: id, id: only.data } })}
        replace
      />
    );
  return (
    <Page title={name} isBusy={!only.error}>
      {only.error && <Failed error={only.error} onRetry={() => void only.refetch()} />}
    </Page>
  );
}
