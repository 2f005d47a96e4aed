// One schema; without an id, a new one. The same page stays when a new schema gets its id.

import type { JsonObject } from "@contract/json.ts";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useParams, useSearch } from "@tanstack/react-router";
import { lazy, Suspense } from "react";
import { ApiError } from "#api/api-error.ts";
import { findKept } from "#form/use-kept.ts";
import { useCan, useStart } from "#session/start.ts";
import { Failed } from "#shell/LoadState.tsx";
import { LinkButton } from "#shell/links.tsx";
import { Page } from "#shell/Page.tsx";
import type { Search } from "#shell/paths.ts";
import { useMade } from "#shell/use-made.ts";
import { EmptyState } from "#ui/EmptyState.tsx";
import { Notice } from "#ui/Notice.tsx";
import { useWords } from "#words/language.ts";
import { schemasWords } from "#words/schemas.ts";
import { keptPlace, type OpenedSchema } from "./opened-schema.ts";
import { partsOf, recordOf } from "./parts.ts";
import { fetchSchema, type StoredSchema, schemasQuery } from "./schema-queries.ts";

// The editor comes while the schema is fetched.
const editor = import("./SchemaEditor.tsx");
const SchemaEditor = lazy(() => editor.then((part) => ({ default: part.SchemaEditor })));

/** What is typed must not change because somebody looks at another window. */
const once = { staleTime: Number.POSITIVE_INFINITY, gcTime: 0, refetchOnWindowFocus: false } as const;

export function SchemaPage() {
  const { id } = useParams({ strict: false });
  const { from } = useSearch({ strict: false }) as Search;
  const words = useWords(schemasWords);
  const can = useCan();
  const { site } = useStart();
  const { key, isMade, onMade } = useMade(`schema ${id === undefined ? (from ?? "") : ""}`, id);
  const isNew = id === undefined && !isMade;
  if (!can(isNew ? "create" : "read", "schemas")) return <Page title={id ?? words.newSchema} needs={false} />;
  if (isNew && site.edition !== "pro")
    return (
      <Page title={words.newSchema} breadcrumbs={[{ label: words.title, to: "/admin/schemas" }]}>
        <Notice tone="info">{words.edition(site.edition)}</Notice>
      </Page>
    );
  return <Loaded key={key} id={id} openedAs={isMade ? undefined : id} from={from} onMade={onMade} />;
}

interface LoadedProps {
  id: string | undefined;
  /** The id that the page was opened with. */
  openedAs: string | undefined;
  from: string | undefined;
  onMade: (id: string) => void;
}

function Loaded({ id, openedAs, from, onMade }: LoadedProps) {
  const words = useWords(schemasWords);
  const { user } = useStart();
  const queries = useQueryClient();
  const opened = useQuery({
    queryKey: ["schema-editor", openedAs ?? "-new", from ?? ""],
    queryFn: async ({ signal }): Promise<OpenedSchema> => {
      const source = openedAs ?? from;
      const [all, stored, kept] = await Promise.all([
        queries.fetchQuery(schemasQuery),
        source === undefined ? undefined : fetchSchema(source, signal),
        // A copy begins from what it copies.
        openedAs === undefined && from !== undefined
          ? undefined
          : findKept({ user: user.id, collection: keptPlace, id: openedAs ?? "-new" }),
      ]);
      if (stored && openedAs !== undefined) return { stored, begun: stored.data, copyOf: "", kept, all };
      return stored
        ? { stored: undefined, begun: copyOf(stored, words.copyTitle), copyOf: String(stored.data.title), kept, all }
        : { stored: undefined, begun: emptySchema, copyOf: "", kept, all };
    },
    ...once,
  });
  const crumbs = [{ label: words.build }, { label: words.title, to: "/admin/schemas" as const }];
  const waiting = <Page title={id ?? words.newSchema} breadcrumbs={crumbs} isBusy />;
  if (opened.data)
    return (
      <Suspense fallback={waiting}>
        <SchemaEditor id={id} opened={opened.data} breadcrumbs={crumbs} onMade={onMade} />
      </Suspense>
    );
  if (opened.error instanceof ApiError && opened.error.status === 404)
    return (
      <Page title={words.missingTitle} breadcrumbs={crumbs}>
        <EmptyState
          title={openedAs ?? from ?? ""}
          text={words.missingText(openedAs ?? from ?? "")}
          action={
            <LinkButton to="/admin/schemas" variant="primary">
              {words.backToList}
            </LinkButton>
          }
        />
      </Page>
    );
  if (!opened.error) return waiting;
  return (
    <Page title={id ?? words.newSchema} breadcrumbs={crumbs}>
      <Failed error={opened.error} onRetry={() => void opened.refetch()} />
    </Page>
  );
}

/** The server would add the id by itself; here it is seen from the beginning. */
const emptySchema: JsonObject = {
  id: "",
  title: "",
  description: "",
  category: "",
  properties: { id: { field: "id", label: "Id", help: "Names the object in addresses." } },
  required: ["id"],
  index: ["id"],
};

function copyOf({ data }: StoredSchema, titled: (title: string) => string): JsonObject {
  const record = recordOf(partsOf(data));
  return { ...record, id: `${record.id}-copy`, title: titled(record.title ?? record.id) } as unknown as JsonObject;
}
