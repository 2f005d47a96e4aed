// Takes back what an application, a key or a person wrote: first the plan with every conflict, then a job that carries it out.

import type { UndoMark, UndoPreview, UndoSummary } from "@contract/history.ts";
import { useMutation, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { ApiError } from "#api/api-error.ts";
import { Failed, Problem } from "#shell/LoadState.tsx";
import { Button } from "#ui/Button.tsx";
import { Dialog } from "#ui/Dialog.tsx";
import { EmptyState } from "#ui/EmptyState.tsx";
import { Notice } from "#ui/Notice.tsx";
import { Progress } from "#ui/Progress.tsx";
import { Select } from "#ui/Select.tsx";
import { commonWords } from "#words/common.ts";
import { formatNumber } from "#words/format.ts";
import { useWords } from "#words/language.ts";
import { undoWords } from "#words/undo.ts";
import { PlanGrid } from "./PlanGrid.tsx";
import { UndoProgress } from "./UndoProgress.tsx";
import css from "./undo.module.css";
import { applyPlan, pageSize, planQuery } from "./undo-calls.ts";

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
  const [hasMoved, setHasMoved] = useState(false);
  const plan = useQuery(planQuery({ by, since }));
  const applying = useMutation({
    mutationFn: (found: UndoPreview) => applyPlan({ by, since, apply: found.plan, force: [...forced] }),
    onError: (error) => {
      if (!(error instanceof ApiError) || error.status !== 412) return;
      setHasMoved(true);
      void plan.refetch();
    },
  });
  const job = applying.data?.job;
  const count = plan.data ? countOf(plan.data.summary) + forced.size : 0;
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
              isDisabled={count === 0 || plan.isFetching}
              isPending={applying.isPending}
              onPress={() => plan.data && applying.mutate(plan.data)}
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
          {plan.isPending && <Progress label={words.planning} />}
          {plan.error && !plan.data && <Failed error={plan.error} onRetry={() => void plan.refetch()} />}
          {plan.data && <PlanView plan={plan.data} forced={forced} onForce={setForced} />}
        </div>
      )}
    </Dialog>
  );
}

interface PlanProps {
  plan: UndoPreview;
  forced: ReadonlySet<string>;
  onForce: (forced: ReadonlySet<string>) => void;
}

function PlanView({ plan: { summary, items }, forced, onForce }: PlanProps) {
  const words = useWords(undoWords);
  if (items.length === 0) return <EmptyState title={words.nothingTitle} text={words.nothingText} level={3} />;
  return (
    <>
      <SummaryLine summary={summary} />
      <PlanGrid items={items} forced={forced} onForce={onForce} />
      {summary.objects > items.length && (
        <p className={css.text}>{words.firstOf(formatNumber(pageSize), formatNumber(summary.objects))}</p>
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
