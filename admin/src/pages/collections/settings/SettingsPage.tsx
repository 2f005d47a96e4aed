// The settings of a collection, for those who may change them.

import type { AdminCollection } from "@contract/admin.ts";
import type { SchemaRecord } from "@contract/schemas.ts";
import { useQuery } from "@tanstack/react-query";
import { useParams } from "@tanstack/react-router";
import { ask } from "#api/client.ts";
import { routes } from "#api/routes.ts";
import { findKept } from "#form/use-kept.ts";
import { useCrumbs } from "#pages/collections/crumbs.ts";
import { useCollection, useStart } from "#session/start.ts";
import { Failed } from "#shell/LoadState.tsx";
import { Page } from "#shell/Page.tsx";
import { useWords } from "#words/language.ts";
import { settingsWords } from "#words/settings.ts";
import { SettingsEditor } from "./SettingsEditor.tsx";
import { settingsPlace } from "./setting-fields.ts";
import { fetchAnswer, storedOf } from "./stored-settings.ts";

/** What is typed must not change because somebody looks at another window. */
const once = { staleTime: Number.POSITIVE_INFINITY, gcTime: 0, refetchOnWindowFocus: false } as const;

export function SettingsPage() {
  const { collection: id = "" } = useParams({ strict: false });
  const collection = useCollection(id);
  if (!collection?.canConfigure) return <Page title={id} needs={false} />;
  return <Opened key={id} collection={collection} />;
}

function Opened({ collection }: { collection: AdminCollection }) {
  const words = useWords(settingsWords);
  const { user } = useStart();
  const { id, name } = collection;
  const crumbs = useCrumbs(collection);
  const opened = useQuery({
    queryKey: ["settings", id],
    queryFn: async ({ signal }) => {
      const [answer, schema, kept] = await Promise.all([
        fetchAnswer(id, signal),
        ask<SchemaRecord>(routes.collectionSchema, { path: { collection: id }, signal }),
        findKept({ user: user.id, collection: id, id: settingsPlace }),
      ]);
      return { stored: storedOf(answer), total: Number(answer.data.totalObjects ?? 0), schema: schema.data, kept };
    },
    ...once,
  });
  if (opened.data) return <SettingsEditor collection={collection} opened={opened.data} />;
  return (
    <Page title={words.title(name)} breadcrumbs={crumbs} isBusy={!opened.error}>
      {opened.error && <Failed error={opened.error} onRetry={() => void opened.refetch()} />}
    </Page>
  );
}
