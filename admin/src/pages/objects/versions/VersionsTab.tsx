// Earlier versions of an object: how they differ, and a way to take properties of one back into the form.

import type { Snapshot, SnapshotContent } from "@contract/admin.ts";
import type { JsonObject } from "@contract/json.ts";
import { useQuery } from "@tanstack/react-query";
import { History, Undo2 } from "lucide-react";
import { useState, useSyncExternalStore } from "react";
import { ask } from "#api/client.ts";
import { routes } from "#api/routes.ts";
import type { FieldProperty } from "#fields/property.ts";
import type { FormStore } from "#form/store.ts";
import type { Value } from "#form/values.ts";
import { Failed } from "#shell/LoadState.tsx";
import { Button } from "#ui/Button.tsx";
import { EmptyState } from "#ui/EmptyState.tsx";
import { Icon } from "#ui/Icon.tsx";
import { RadioGroup } from "#ui/RadioGroup.tsx";
import { Skeleton } from "#ui/Skeleton.tsx";
import { toast } from "#ui/toast.ts";
import { useDelayed } from "#ui/useDelayed.ts";
import { useWords } from "#words/language.ts";
import { formatMoment } from "#words/moment.ts";
import { versionWords } from "#words/versions.ts";
import { DifferenceList } from "./DifferenceList.tsx";
import { canRestore, differencesOf, restoredValues } from "./differences.ts";
import css from "./versions.module.css";

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
  const { data, error, isPending, refetch } = useQuery({
    queryKey: ["objects", collection, "snapshots", id],
    queryFn: async ({ signal }) => {
      const query = { kind: "object", collection, id, limit: 100 };
      return (await ask<Snapshot[]>(routes.snapshots, { query, signal })).data;
    },
  });
  const [chosen, setChosen] = useState<string>();
  const isSlow = useDelayed(isPending, 300);
  if (error) return <Failed error={error} onRetry={() => void refetch()} />;
  if (!data) return isSlow ? <Skeleton height="12rem" /> : null;
  if (data.length === 0) return <EmptyState title={words.emptyTitle} text={words.emptyText} />;
  const at = Math.max(
    0,
    data.findIndex(({ file }) => file === chosen),
  );
  const shown = data[at] as Snapshot;
  return (
    <div className={css.versions}>
      <ul className={css.list} aria-label={words.versions}>
        {data.map((one) => (
          <li key={one.file}>
            <button
              type="button"
              className={css.version}
              aria-pressed={one === shown}
              onClick={() => setChosen(one.file)}
            >
              <Icon of={History} className={css.icon} />
              <span className={css.time}>{words.until(formatMoment(one.created))}</span>
              <span className={css.door}>{words.replaced}</span>
            </button>
          </li>
        ))}
      </ul>
      <Comparison {...props} key={shown.file} version={shown} before={data[at + 1]} />
    </div>
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

function Comparison({ version, before, properties, store, onRestored }: ComparisonProps) {
  const words = useWords(versionWords);
  const [side, setSide] = useState("now");
  const now = useSyncExternalStore(store.subscribeValues, store.values);
  const content = useContent(version);
  const earlier = useContent(side === "before" ? before : undefined);
  const [left, setLeft] = useState<ReadonlySet<string>>(new Set());
  const isBefore = side === "before";
  const other: JsonObject | undefined = isBefore ? earlier.data : now;
  const failed = content.error ?? earlier.error;
  const isSlow = useDelayed(!content.data || !other, 300);

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
    <section className={css.comparison} aria-label={words.until(formatMoment(version.created))}>
      <RadioGroup
        label={words.compareWith}
        look="segments"
        value={side}
        onChange={setSide}
        options={[
          { value: "now", label: words.now },
          { value: "before", label: words.before, isDisabled: before === undefined },
        ]}
        description={before === undefined ? words.first : undefined}
      />
      {failed ? (
        <Failed
          error={failed}
          onRetry={() => {
            void content.refetch();
            if (isBefore) void earlier.refetch();
          }}
        />
      ) : !differences ? (
        isSlow && <Skeleton height="8rem" />
      ) : differences.length === 0 ? (
        <p className={css.same}>{words.same}</p>
      ) : (
        <DifferenceList differences={differences} chosen={isBefore ? undefined : new Set(names)} onChoose={choose} />
      )}
      {offered.length > 0 && (
        <div className={css.restore}>
          <Button variant="primary" icon={Undo2} onPress={restore}>
            {words.restore}
          </Button>
          <p className={css.help}>{words.restoreHelp}</p>
        </div>
      )}
    </section>
  );
}
