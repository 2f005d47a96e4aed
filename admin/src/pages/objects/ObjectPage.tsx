// One object's form; without an id, of a new object. The same page stays when a new object gets its id.

import type { AdminCollection } from "@contract/admin.ts";
import { Navigate, useParams, useRouter } from "@tanstack/react-router";
import { ApiError } from "#api/api-error.ts";
import { ownPages } from "#pages/collections/own-pages.ts";
import { useCan, useCollection, useStart } from "#session/start.ts";
import { Failed } from "#shell/LoadState.tsx";
import { LinkButton, linkProps } from "#shell/links.tsx";
import { Page } from "#shell/Page.tsx";
import type { AdminPath } from "#shell/paths.ts";
import { useMade } from "#shell/use-made.ts";
import { EmptyState } from "#ui/EmptyState.tsx";
import { Skeleton } from "#ui/Skeleton.tsx";
import { formWords } from "#words/form.ts";
import { useWords } from "#words/language.ts";
import { ObjectEditor } from "./ObjectEditor.tsx";
import css from "./object.module.css";
import { useObjectPages } from "./object-pages.ts";
import { useOpenObject } from "./open-object.ts";

export function ObjectPage() {
  const { collection = "", id } = useParams({ strict: false });
  const { routesByPath } = useRouter();
  const own = ownPages[collection] ?? "";
  const to = id === undefined ? `${own}/-new` : `${own}/$id`;
  if (own !== "" && Object.hasOwn(routesByPath, to))
    return <Navigate {...linkProps({ to: to as AdminPath, params: { id: id ?? "" } })} replace />;
  return <ObjectPageOf collection={collection} id={id} />;
}

/** `id` undefined: of a new object. */
export function ObjectPageOf({ collection: name, id }: { collection: string; id: string | undefined }) {
  const collection = useCollection(name);
  const can = useCan();
  const words = useWords(formWords);
  if (!collection) return <Page title={id ?? words.newTitle("")} needs={false} />;
  if (id === undefined && !can("create", { objects: name })) return <Page title={id ?? ""} needs={false} />;
  return <Opened collection={collection} id={id} />;
}

function Opened({ collection, id }: { collection: AdminCollection; id: string | undefined }) {
  const { key, isMade, onMade } = useMade(collection.id, id);
  return <Loaded key={key} collection={collection} id={id} openedAs={isMade ? undefined : id} onMade={onMade} />;
}

interface LoadedProps {
  collection: AdminCollection;
  id: string | undefined;
  /** The id that the page was opened with. */
  openedAs: string | undefined;
  onMade: (id: string) => void;
}

function Loaded({ collection, id, openedAs, onMade }: LoadedProps) {
  const words = useWords(formWords);
  const { user } = useStart();
  const { opened, error, retry } = useOpenObject(user.id, collection, openedAs, id);
  const { table, tableName, breadcrumbs, newTitle } = useObjectPages(collection);
  if (opened)
    return (
      <ObjectEditor
        collection={collection}
        id={opened.object || openedAs === undefined ? id : undefined}
        opened={opened}
        onMade={onMade}
      />
    );
  const title = id ?? newTitle;
  if (error instanceof ApiError && error.status === 404)
    return (
      <Page title={words.missingTitle} breadcrumbs={breadcrumbs}>
        <EmptyState
          title={title}
          text={words.missingText(title)}
          action={
            <LinkButton {...table} variant="primary">
              {words.backToTable(tableName)}
            </LinkButton>
          }
        />
      </Page>
    );
  return (
    <Page title={title} breadcrumbs={breadcrumbs} isBusy={!error}>
      {error ? <Failed error={error} onRetry={retry} /> : <Waiting />}
    </Page>
  );
}

function Waiting() {
  return (
    <div className={css.waiting}>
      {[1, 2, 3, 4].map((line) => (
        <div key={line} className={css.waitingField}>
          <Skeleton width={96} height={16} />
          <Skeleton height={36} />
        </div>
      ))}
    </div>
  );
}
