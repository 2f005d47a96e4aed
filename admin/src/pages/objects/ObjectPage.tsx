// One object's form; without an id, of a new object. The same page stays when a new object gets its id.

import type { AdminCollection } from "@contract/admin.ts";
import { Navigate, useParams, useRouter } from "@tanstack/react-router";
import { useEffect, useRef, useState } from "react";
import { ApiError } from "#api/api-error.ts";
import { ownPages } from "#pages/collections/own-pages.ts";
import { useCan, useCollection, useStart } from "#session/start.ts";
import { Failed } from "#shell/LoadState.tsx";
import { LinkButton, linkProps } from "#shell/links.tsx";
import { Page } from "#shell/Page.tsx";
import type { AdminPath } from "#shell/paths.ts";
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

/** A new object that was saved here keeps its form. */
interface Made {
  id: string;
  key: string;
}

function Opened({ collection, id }: { collection: AdminCollection; id: string | undefined }) {
  const [made, setMade] = useState<Made>();
  const [round, setRound] = useState(0);
  // From the moment it is stored; the address follows. Once it was left, it is opened like any other.
  const hasArrived = useRef(false);
  const isMade = made !== undefined && (made.id === id || !hasArrived.current);
  useEffect(() => {
    if (!made) return;
    if (made.id === id) hasArrived.current = true;
    else if (hasArrived.current) {
      hasArrived.current = false;
      setMade(undefined);
      setRound((before) => before + 1);
    }
  }, [made, id]);
  const key = isMade ? made.key : `${collection.id}/${id ?? ""}/${made ? round + 1 : round}`;
  return (
    <Loaded
      key={key}
      collection={collection}
      id={id}
      openedAs={isMade ? undefined : id}
      onMade={(newId) => setMade({ id: newId, key })}
    />
  );
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
