// Takes back what an application, a key or a person wrote: first the plan with every conflict, then a job that carries it out.

import type { UndoMark, UndoPreview, UndoSummary } from "@contract/history.ts";
import { useInfiniteQuery, useMutation, useQueryClient } from "@tanstack/react-query";
import { useCallback, useEffect, useState } from "react";
import { ApiError } from "#api/api-error.ts";
import { Failed, Problem } from "#shell/LoadState.tsx";
import { Button } from "#ui/Button.tsx";
import { Dialog } from "#ui/Dialog.tsx";
import { EmptyState } from "#ui/EmptyState.tsx";
import { Notice } from "#ui/Notice.tsx";
import { Progress } from "#ui/Progress.tsx";
import { Select } from "#ui/Select.tsx";
import { commonWords } from "#words/common.ts";
import { useWords } from "#words/language.ts";
import { undoWords } from "#words/undo.ts";
import { PlanGrid } from "./PlanGrid.tsx";
import { UndoProgress } from "./UndoProgress.tsx";
import css from "./undo.module.css";
import { applyPlan, joinPages, planQuery } from "./undo-calls.ts";

interface Props {
  by: { [mark in UndoMark]?: string };
  /** Of whom or what is undone. */
  name: string;
  onClose: () => void;
}

export function UndoDialog({ by, name, onClose }: Props) {
  const words = useWords(undoWords);
  const common = useWords(commonWords);
  const [since, setSince] = useState("");
  const [forced, setForced] = useState<ReadonlySet<string>>(new Set());
  const client = useQueryClient();
  const [hasMoved, setHasMoved] = useState(false);
  const pages = useInfiniteQuery(planQuery({ by, since }));
  const plan = joinPages(pages.data?.pages);
  const isTorn = pages.data !== undefined && plan === undefined;
  const { refetch } = pages;
  const begin = useCallback(() => {
    setHasMoved(true);
    void client.resetQueries({ queryKey: planQuery({ by, since }).queryKey });
  }, [client, by, since]);
  useEffect(() => {
    if (isTorn) begin();
  }, [isTorn, begin]);
  const applying = useMutation({
    mutationFn: (found: UndoPreview) => applyPlan({ by, since, apply: found.plan, force: [...forced] }),
    onError: (error) => {
      if (!(error instanceof ApiError) || error.status !== 412) return;
      begin();
    },
  });
  const job = applying.data?.job;
  const count = plan ? countOf(plan.summary) + forced.size : 0;
  const isMoved = applying.error instanceof ApiError && applying.error.status === 412;
  return (
    <Dialog
      title={words.title}
      size="large"
      onClose={onClose}
      footer={
        job === undefined ? (
          <>
            <Button onPress={onClose}>{common.cancel}</Button>
            <Button
              variant="danger"
              isDisabled={count === 0 || pages.isFetching}
              isPending={applying.isPending}
              onPress={() => plan && applying.mutate(plan)}
            >
              {words.apply(count)}
            </Button>
          </>
        ) : (
          <Button onPress={onClose} variant="primary">
            {words.close}
          </Button>
        )
      }
    >
      {job !== undefined ? (
        <UndoProgress job={job} total={count} />
      ) : (
        <div className={css.stack}>
          <p className={css.text}>{words.intro(name)}</p>
          <div className={css.since}>
            <Select
              label={words.since}
              value={since}
              onChange={(next) => {
                setSince(next);
                setForced(new Set());
              }}
              options={Object.entries(words.periods).map(([value, label]) => ({ value, label }))}
            />
          </div>
          <div role="status">{hasMoved && <Notice tone="warn">{words.moved}</Notice>}</div>
          {applying.error && !isMoved && <Problem error={applying.error} />}
          {!plan && !pages.error && <Progress label={words.planning} />}
          {pages.error && <Failed error={pages.error} onRetry={() => void refetch()} />}
          {plan && (
            <PlanView
              plan={plan}
              forced={forced}
              onForce={setForced}
              isFetching={pages.isFetchingNextPage}
              onMore={() => void pages.fetchNextPage()}
            />
          )}
        </div>
      )}
    </Dialog>
  );
}

interface PlanProps {
  plan: UndoPreview;
  forced: ReadonlySet<string>;
  onForce: (forced: ReadonlySet<string>) => void;
  isFetching: boolean;
  onMore: () => void;
}

function PlanView({ plan: { summary, items }, forced, onForce, isFetching, onMore }: PlanProps) {
  const words = useWords(undoWords);
  if (items.length === 0) return <EmptyState title={words.nothingTitle} text={words.nothingText} level={3} />;
  return (
    <>
      <SummaryLine summary={summary} />
      <PlanGrid items={items} forced={forced} onForce={onForce} />
      {summary.objects > items.length && (
        <div className={css.more}>
          <span role="status" className={css.text}>
            {words.andMore(summary.objects - items.length)}
          </span>
          <Button isPending={isFetching} onPress={onMore}>
            {words.more}
          </Button>
        </div>
      )}
    </>
  );
}

function SummaryLine({ summary }: { summary: UndoSummary }) {
  const words = useWords(undoWords);
  const { objects, reverted, deleted, restored, superseded, conflicts, lost } = summary;
  const parts: [count: number, text: string][] = [
    [objects, words.objects(objects)],
    [reverted, words.reverted(reverted)],
    [deleted, words.deleted(deleted)],
    [restored, words.restored(restored)],
    [superseded, words.superseded(superseded)],
    [conflicts, words.conflictCount(conflicts)],
    [lost, words.lost(lost)],
  ];
  return (
    <ul className={css.summary} aria-label={words.summary}>
      {parts
        .filter(([count]) => count > 0)
        .map(([, text]) => (
          <li key={text}>{text}</li>
        ))}
    </ul>
  );
}

/** Objects that become another. */
function countOf({ reverted, deleted, restored }: UndoSummary): number {
  return reverted + deleted + restored;
}
