// Earlier versions of an object: how they differ, and a way to take properties of one back into the form.

import type { Snapshot, SnapshotContent } from "@contract/admin.ts";
import type { JsonObject } from "@contract/json.ts";
import { useQuery } from "@tanstack/react-query";
import { useState, useSyncExternalStore } from "react";
import { ask } from "#api/client.ts";
import { routes } from "#api/routes.ts";
import type { FieldProperty } from "#fields/property.ts";
import type { FormStore } from "#form/store.ts";
import type { Value } from "#form/values.ts";
import { toast } from "#ui/toast.ts";
import { useWords } from "#words/language.ts";
import { formatMoment } from "#words/moment.ts";
import { versionWords } from "#words/versions.ts";
import { DifferenceList } from "./DifferenceList.tsx";
import { canRestore, differencesOf, restoredValues } from "./differences.ts";
import { Comparison, type Side, VersionList } from "./VersionList.tsx";

interface Props {
  collection: string;
  id: string;
  properties: readonly FieldProperty[];
  store: FormStore;
  /** These are in the form now. */
  onRestored: (properties: string[]) => void;
}

export function VersionsTab(props: Props) {
  const { collection, id } = props;
  const words = useWords(versionWords);
  const query = useQuery({
    queryKey: ["objects", collection, "snapshots", id],
    queryFn: async ({ signal }) => {
      const asked = { kind: "object", collection, id, limit: 100 };
      return (await ask<Snapshot[]>(routes.snapshots, { query: asked, signal })).data;
    },
  });
  return (
    <VersionList
      query={query}
      idOf={({ file }) => file}
      untilOf={({ created }) => created}
      replacedBy={words.replaced}
      empty={{ title: words.emptyTitle, text: words.emptyText }}
    >
      {(shown, before) => <ObjectComparison {...props} key={shown.file} version={shown} before={before} />}
    </VersionList>
  );
}

function useContent(snapshot: Snapshot | undefined) {
  return useQuery({
    queryKey: ["snapshots", snapshot?.file],
    enabled: snapshot !== undefined,
    // A snapshot never changes.
    staleTime: Number.POSITIVE_INFINITY,
    queryFn: async ({ signal }) =>
      (await ask<SnapshotContent>(routes.snapshots, { query: { file: snapshot?.file }, signal })).data.content,
  });
}

interface ComparisonProps extends Props {
  version: Snapshot;
  before: Snapshot | undefined;
}

function ObjectComparison({ version, before, properties, store, onRestored }: ComparisonProps) {
  const words = useWords(versionWords);
  const [side, setSide] = useState<Side>("now");
  const now = useSyncExternalStore(store.subscribeValues, store.values);
  const content = useContent(version);
  const earlier = useContent(side === "before" ? before : undefined);
  const [left, setLeft] = useState<ReadonlySet<string>>(new Set());
  const isBefore = side === "before";
  const other: JsonObject | undefined = isBefore ? earlier.data : now;

  const differences = content.data && other ? differencesOf(properties, other, content.data) : undefined;
  const offered = isBefore ? [] : (differences ?? []).filter(({ property }) => canRestore(property));
  const names = offered.map(({ property }) => property.name).filter((name) => !left.has(name));
  const choose = (name: string, isChosen: boolean) => {
    const next = new Set(left);
    if (isChosen) next.delete(name);
    else next.add(name);
    setLeft(next);
  };
  const restore = () => {
    if (!content.data) return;
    if (names.length === 0) {
      toast.bad(words.nothingChosen);
      return;
    }
    const values: { [property: string]: Value } = restoredValues(content.data, names);
    store.lay(values);
    toast.good(words.restored(names.length));
    onRestored(names);
  };

  return (
    <Comparison
      label={words.until(formatMoment(version.created))}
      side={side}
      onSide={setSide}
      hasBefore={before !== undefined}
      error={content.error ?? earlier.error}
      onRetry={() => void Promise.all([content.refetch(), isBefore && earlier.refetch()])}
      isReady={differences !== undefined}
      isSame={differences?.length === 0}
      restore={offered.length > 0 ? { help: words.restoreHelp, onPress: restore } : undefined}
    >
      <DifferenceList
        differences={differences ?? []}
        chosen={isBefore ? undefined : new Set(names)}
        onChoose={choose}
      />
    </Comparison>
  );
}
