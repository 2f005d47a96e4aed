// The versions that the log of changes keeps of an object, newest first: who made each and through which door, how it differs,
// and ways to take it back, into the form or at once.

import type { ChangeEntry } from "@contract/history.ts";
import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { History, Undo2 } from "lucide-react";
import { useState, useSyncExternalStore } from "react";
import { ApiError } from "#api/api-error.ts";
import type { FieldProperty } from "#fields/property.ts";
import type { FormStore } from "#form/store.ts";
import { authorText } from "#session/author.ts";
import { Failed } from "#shell/LoadState.tsx";
import { Button } from "#ui/Button.tsx";
import { EmptyState } from "#ui/EmptyState.tsx";
import { Icon } from "#ui/Icon.tsx";
import { Notice } from "#ui/Notice.tsx";
import { Skeleton } from "#ui/Skeleton.tsx";
import { toast } from "#ui/toast.ts";
import { useDelayed } from "#ui/useDelayed.ts";
import { authorWords } from "#words/authors.ts";
import { formatList } from "#words/format.ts";
import { historyWords } from "#words/history.ts";
import { useWords } from "#words/language.ts";
import { formatMoment } from "#words/moment.ts";
import { versionWords } from "#words/versions.ts";
import { DifferenceList } from "./DifferenceList.tsx";
import { canRestore, differencesOf, restoredValues } from "./differences.ts";
import { versionQuery, versionsQuery } from "./log-calls.ts";
import { RestoreDialog } from "./RestoreDialog.tsx";
import { Comparison, type Side } from "./VersionList.tsx";
import css from "./versions.module.css";

interface Props {
  collection: string;
  id: string;
  properties: readonly FieldProperty[];
  store: FormStore;
  /** The values of earlier versions are kept, not only who made them. */
  hasValues: boolean;
  etagNow: () => string;
  /** These are in the form now. */
  onRestored: (properties: string[]) => void;
  /** The server has stored another state; `said` is what the page says of it. */
  onStored: (said: string) => Promise<void>;
}

export function LogTab(props: Props) {
  const { collection, id, properties, hasValues } = props;
  const words = useWords(historyWords);
  const ofVersions = useWords(versionWords);
  const [chosen, setChosen] = useState<string>();
  const query = useInfiniteQuery(versionsQuery(collection, id));
  const isSlow = useDelayed(query.isPending, 300);
  if (query.error && !query.data) return <Failed error={query.error} onRetry={() => void query.refetch()} />;
  if (!query.data) return isSlow ? <Skeleton height="12rem" /> : null;
  const changes = query.data.pages.flatMap((page) => page.changes);
  const at = Math.max(
    0,
    changes.findIndex(({ change }) => change === chosen),
  );
  const shown = changes[at];
  if (shown === undefined) return <EmptyState title={words.emptyTitle} text={words.emptyText} />;
  return (
    <div className={css.versions}>
      <div className={css.past}>
        <ul className={css.list} aria-label={ofVersions.versions}>
          {changes.map((entry) => (
            <li key={entry.change}>
              <button
                type="button"
                className={css.version}
                aria-pressed={entry === shown}
                onClick={() => setChosen(entry.change)}
              >
                <VersionFacts entry={entry} properties={properties} />
              </button>
            </li>
          ))}
        </ul>
        {query.hasNextPage && (
          <Button variant="quiet" isPending={query.isFetchingNextPage} onPress={() => void query.fetchNextPage()}>
            {words.older}
          </Button>
        )}
      </div>
      {hasValues ? (
        <LogComparison {...props} key={shown.change} version={shown} before={changes[at + 1]} isNewest={at === 0} />
      ) : (
        <Notice tone="info">{words.trailOnly}</Notice>
      )}
    </div>
  );
}

/** More names would make the list longer than it helps. */
const namedAtMost = 4;

function VersionFacts({ entry, properties }: { entry: ChangeEntry; properties: readonly FieldProperty[] }) {
  const words = useWords(historyWords);
  const authors = useWords(authorWords);
  const { at, kind, by, note } = entry;
  const names = entry.properties.map((name) => properties.find((one) => one.name === name)?.label ?? name);
  const more = names.length - namedAtMost;
  const shown = more > 0 ? [...names.slice(0, namedAtMost), words.moreProperties(more)].join(", ") : formatList(names);
  return (
    <>
      <Icon of={History} className={css.icon} />
      <span className={css.time}>{formatMoment(at)}</span>
      <span className={css.door}>
        {by ? authors.through(words.kinds[kind], authorText(by, authors)) : words.kinds[kind]}
      </span>
      {names.length > 0 && <span className={css.door}>{shown}</span>}
      {note !== undefined && note !== "" && <q className={css.said}>{note}</q>}
    </>
  );
}

interface ComparisonProps extends Props {
  version: ChangeEntry;
  before: ChangeEntry | undefined;
  isNewest: boolean;
}

function LogComparison(props: ComparisonProps) {
  const { collection, id, version, before, isNewest, properties, store, onRestored, onStored, etagNow } = props;
  const words = useWords(historyWords);
  const ofVersions = useWords(versionWords);
  // The newest one is what is stored now: what it changed says more.
  const [side, setSide] = useState<Side>(isNewest && before ? "before" : "now");
  const [left, setLeft] = useState<ReadonlySet<string>>(new Set());
  const [isAsking, setIsAsking] = useState(false);
  const now = useSyncExternalStore(store.subscribeValues, store.values);
  const isBefore = side === "before";
  const content = useQuery(versionQuery(collection, id, version.change));
  const earlier = useQuery(versionQuery(collection, id, isBefore ? before?.change : undefined));
  const error = content.error ?? (isBefore ? earlier.error : null);

  const other = isBefore ? earlier.data : now;
  const differences = content.data && other ? differencesOf(properties, other, content.data) : undefined;
  const offered = isBefore ? [] : (differences ?? []);
  const chosen = offered.map(({ property }) => property).filter(({ name }) => !left.has(name));
  const choose = (name: string, isChosen: boolean) => {
    const next = new Set(left);
    if (isChosen) next.delete(name);
    else next.add(name);
    setLeft(next);
  };
  const intoForm = () => {
    const names = chosen.filter(canRestore).map(({ name }) => name);
    if (!content.data || names.length === 0) return void toast.bad(ofVersions.nothingChosen);
    store.lay(restoredValues(content.data, names));
    toast.good(ofVersions.restored(names.length));
    onRestored(names);
  };
  const atOnce = () => (chosen.length === 0 ? void toast.bad(ofVersions.nothingChosen) : setIsAsking(true));

  if (isNotKept(error)) return <Notice tone="info">{words.notKept}</Notice>;
  return (
    <Comparison
      label={words.version(formatMoment(version.at))}
      side={side}
      onSide={setSide}
      hasBefore={before !== undefined}
      error={error}
      onRetry={() => void Promise.all([content.refetch(), isBefore && earlier.refetch()])}
      isReady={differences !== undefined}
      isSame={differences?.length === 0}
      restore={
        offered.length === 0
          ? undefined
          : {
              help: ofVersions.restoreHelp,
              onPress: intoForm,
              more: (
                <Button icon={Undo2} onPress={atOnce}>
                  {words.restoreNow}
                </Button>
              ),
            }
      }
    >
      <DifferenceList
        differences={differences ?? []}
        chosen={isBefore ? undefined : new Set(chosen.map(({ name }) => name))}
        onChoose={choose}
        filesHelp={words.filesNow}
        sides={{ from: isBefore ? ofVersions.before : ofVersions.now, to: words.thisOne }}
      />
      {isAsking && (
        <RestoreDialog
          {...{ collection, id, change: version.change, at: version.at, etagNow, onStored }}
          properties={chosen.map(({ name }) => name)}
          isWhole={left.size === 0}
          onClose={() => setIsAsking(false)}
        />
      )}
    </Comparison>
  );
}

/** A change that it needs has lost its values. */
function isNotKept(error: unknown): boolean {
  return error instanceof ApiError && error.status === 404;
}
