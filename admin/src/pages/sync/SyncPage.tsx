// The sync manager: compares this installation with its remote, shows the differences, and pushes or pulls what is chosen.

import type { SyncComparison, SyncDirection, SyncDone, SyncRemote } from "@contract/transfer.ts";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { CircleAlert, CircleCheck, RefreshCw } from "lucide-react";
import { useState } from "react";
import { askData } from "#api/client.ts";
import { routes } from "#api/routes.ts";
import { useCommand } from "#session/commands.ts";
import { useCan } from "#session/start.ts";
import { Failed } from "#shell/LoadState.tsx";
import { Page } from "#shell/Page.tsx";
import { Button } from "#ui/Button.tsx";
import { Checkbox } from "#ui/Checkbox.tsx";
import { EmptyState } from "#ui/EmptyState.tsx";
import { Icon } from "#ui/Icon.tsx";
import layout from "#ui/layout.module.css";
import { Notice } from "#ui/Notice.tsx";
import { RadioGroup } from "#ui/RadioGroup.tsx";
import { Skeleton } from "#ui/Skeleton.tsx";
import { Slab } from "#ui/Slab.tsx";
import { toast } from "#ui/toast.ts";
import { useDelayed } from "#ui/useDelayed.ts";
import { formatNumber } from "#words/format.ts";
import { useWords } from "#words/language.ts";
import { shellWords } from "#words/shell.ts";
import { syncWords } from "#words/sync.ts";
import { DifferenceTree } from "./DifferenceTree.tsx";
import { NotConfigured } from "./NotConfigured.tsx";
import { SyncResult } from "./SyncResult.tsx";
import css from "./sync.module.css";
import { canSeed, groupsOf, isOffered, keyOf } from "./sync-items.ts";
import { TransferDialog } from "./TransferDialog.tsx";

export function SyncPage() {
  const words = useWords(syncWords);
  const ofShell = useWords(shellWords);
  const isAllowed = useCan()("update", "admin");
  const remote = useQuery({
    queryKey: ["sync", "remote"],
    queryFn: ({ signal }) => askData<SyncRemote>(routes.syncRemote, { signal }),
    enabled: isAllowed,
  });
  if (!isAllowed) return <Page title={words.title} needs={false} />;
  return (
    <Page
      title={words.title}
      breadcrumbs={[{ label: ofShell.manage }]}
      isBusy={remote.isPending}
      status={<RemoteState remote={remote.data} />}
    >
      {remote.error && <Failed error={remote.error} onRetry={() => void remote.refetch()} />}
      {remote.data && !remote.data.configured && (
        <NotConfigured problem={remote.data.problem} onRetry={() => void remote.refetch()} />
      )}
      {remote.data?.configured && <Manager remote={remote.data} onCompare={() => void remote.refetch()} />}
    </Page>
  );
}

function RemoteState({ remote }: { remote: SyncRemote | undefined }) {
  const words = useWords(syncWords);
  const isGood = remote?.reachable === true;
  return (
    <div role="status" aria-label={words.remote} className={css.remote}>
      {remote?.configured && (
        <>
          <span className={css.address}>{remote.url}</span>
          <span className={isGood ? css.good : css.bad}>
            <Icon of={isGood ? CircleCheck : CircleAlert} />
            {isGood ? words.answers : remote.problem}
          </span>
          {remote.version !== "" && <span className={css.quiet}>{words.version(remote.version)}</span>}
        </>
      )}
    </div>
  );
}

function Manager({ remote, onCompare }: { remote: SyncRemote; onCompare: () => void }) {
  const words = useWords(syncWords);
  const client = useQueryClient();
  const navigate = useNavigate();
  const search = useSearch({ strict: false }) as { direction?: string; identical?: string };
  const direction: SyncDirection = search.direction === "pull" ? "pull" : "push";
  const withIdentical = search.identical === "true";
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  const [seeds, setSeeds] = useState<ReadonlySet<string>>(new Set());
  const [overwrite, setOverwrite] = useState(false);
  const [isAsking, setIsAsking] = useState(false);
  const [done, setDone] = useState<SyncDone>();

  const comparison = useQuery({
    queryKey: ["sync", "compare", direction],
    queryFn: ({ signal }) => askData<SyncComparison>(routes.syncCompare, { body: { direction }, signal }),
  });
  const isSlow = useDelayed(comparison.isPending, 300);
  const compare = () => {
    onCompare();
    void client.invalidateQueries({ queryKey: ["sync", "compare"] });
  };
  useCommand({ id: "sync-compare", label: words.compare, run: compare });

  const change = (next: { direction?: string | undefined; identical?: string | undefined }) =>
    void navigate({ to: ".", search: { ...search, ...next }, replace: true, state: { keepFocus: true } } as never);
  const items = comparison.data?.items ?? [];
  const offered = items.filter(isOffered);
  const picked = offered.filter((item) => chosen.has(keyOf(item)));
  const seeded = direction === "push" ? [...seeds].filter(canSeed) : [];
  const count = picked.length + seeded.length;
  const identical = items.filter(({ status }) => status === "identical").length;
  const groups = groupsOf(items, withIdentical);
  const finish = (result: SyncDone) => {
    setIsAsking(false);
    setDone(result);
    setChosen(new Set());
    setSeeds(new Set());
    setOverwrite(false);
    const moved = result.result.created.length + result.result.updated.length;
    toast.good(direction === "push" ? words.pushed(moved) : words.pulled(moved));
    void client.invalidateQueries({ queryKey: ["sync"] });
    if (direction === "pull") void client.invalidateQueries();
  };

  return (
    <div className={layout.wide}>
      <p className={layout.intro}>{words.intro}</p>
      <Slab className={css.tools}>
        <RadioGroup
          label={words.direction}
          look="segments"
          value={direction}
          onChange={(next) => {
            setChosen(new Set());
            change({ direction: next === "pull" ? "pull" : undefined });
          }}
          options={[
            { value: "push", label: words.push },
            { value: "pull", label: words.pull },
          ]}
          description={direction === "push" ? words.pushDetail : words.pullDetail}
        />
        <Button icon={RefreshCw} isPending={comparison.isFetching} onPress={compare}>
          {words.compare}
        </Button>
      </Slab>
      {comparison.data?.unreachable && <Notice tone="warn">{words.notCompared(comparison.data.unreachable)}</Notice>}
      {comparison.error ? (
        <Failed error={comparison.error} onRetry={compare} />
      ) : !comparison.data ? (
        isSlow && <Skeleton height="16rem" />
      ) : (
        <>
          <div className={css.bar}>
            <Button onPress={() => setChosen(new Set(offered.map(keyOf)))}>{words.selectChanged}</Button>
            <Button
              variant="quiet"
              onPress={() => {
                setChosen(new Set());
                setSeeds(new Set());
              }}
            >
              {words.clear}
            </Button>
            <Checkbox
              label={words.showIdentical(formatNumber(identical))}
              isSelected={withIdentical}
              onChange={(isOn) => change({ identical: isOn ? "true" : undefined })}
            />
          </div>
          {groups.length === 0 && <EmptyState title={words.nothing} text={words.nothingText} />}
          <DifferenceTree
            direction={direction}
            groups={groups}
            chosen={chosen}
            onChoose={setChosen}
            seeds={seeds}
            onSeeds={setSeeds}
            overwrite={overwrite}
            onOverwrite={setOverwrite}
          />
          <div className={css.go}>
            <Button
              variant="primary"
              onPress={() => (count === 0 ? toast.bad(words.nothingSelected) : setIsAsking(true))}
            >
              {direction === "push" ? words.pushItems(count) : words.pullItems(count)}
            </Button>
          </div>
        </>
      )}
      {done && <SyncResult done={done} />}
      {isAsking && (
        <TransferDialog
          direction={direction}
          remote={remote.url}
          items={picked}
          seeds={seeded}
          overwrite={overwrite}
          onDone={finish}
          onClose={() => setIsAsking(false)}
        />
      )}
    </div>
  );
}
