// The runs of an automation, the newest first. They are asked for again while something runs.

import { type JobStatus, jobStatuses, type Run } from "@contract/jobs.ts";
import type { JsonObject } from "@contract/json.ts";
import { keepPreviousData, useQuery, useQueryClient } from "@tanstack/react-query";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { CircleSlash, RotateCw } from "lucide-react";
import { lazy, Suspense, useState } from "react";
import { askData } from "#api/client.ts";
import { routes } from "#api/routes.ts";
import { CodeText } from "#fields/code/CodeText.tsx";
import { type RecordColumn, RecordGrid } from "#grid/records/RecordGrid.tsx";
import type { ShownObject } from "#pages/objects/object-pages.ts";
import { errorText, Failed } from "#shell/LoadState.tsx";
import type { Search } from "#shell/paths.ts";
import { Button } from "#ui/Button.tsx";
import { EmptyState } from "#ui/EmptyState.tsx";
import { RadioGroup } from "#ui/RadioGroup.tsx";
import { Skeleton } from "#ui/Skeleton.tsx";
import { toast } from "#ui/toast.ts";
import { automationsWords } from "#words/automations.ts";
import { commonWords } from "#words/common.ts";
import { useWords } from "#words/language.ts";
import { formatMoment } from "#words/moment.ts";
import { runQuery, runsQuery } from "./automation-calls.ts";
import css from "./automations.module.css";
import { formatDuration } from "./duration.ts";
import { Part, RunOutcome } from "./RunOutcome.tsx";
import { StatusBadge } from "./RunState.tsx";

const RunDialog = lazy(() => import("./RunDialog.tsx").then((part) => ({ default: part.RunDialog })));

interface Props {
  object: ShownObject;
  onShowHandler: () => void;
}

export function RunsTab({ object, onShowHandler }: Props) {
  const words = useWords(automationsWords);
  const navigate = useNavigate();
  const search = useSearch({ strict: false });
  const status = jobStatuses.find((one) => one === search.status) ?? "";
  const list = useQuery({ ...runsQuery(object.id, status), placeholderData: keepPreviousData });
  const columns = useColumns();
  const [again, setAgain] = useState<JsonObject>();
  const choose = (next: string) =>
    void navigate({
      to: ".",
      search: (before: Search) => ({ ...before, status: next === "" ? undefined : next }),
      state: { keepFocus: true },
      replace: true,
      resetScroll: false,
    });
  const nameOf = (run: Run) => `${words.statuses[run.status]}, ${formatMoment(run.startedAt ?? run.queuedAt)}`;
  return (
    <div className={css.stack}>
      <RadioGroup
        label={words.status}
        isLabelHidden
        look="segments"
        value={status}
        onChange={choose}
        options={[
          { value: "", label: words.all },
          ...jobStatuses.map((one: JobStatus) => ({ value: one, label: words.statuses[one] })),
        ]}
      />
      {list.data ? (
        <RecordGrid
          label={words.runs}
          columns={columns}
          rows={list.data.runs}
          idOf={({ runId }) => runId}
          nameOf={nameOf}
          detailsLabel={words.details}
          details={(run) => (
            <Details automation={object.id} run={run} onAgain={setAgain} onShowHandler={onShowHandler} />
          )}
          empty={
            <EmptyState
              title={status === "" ? words.noRuns : words.noRunsOf}
              text={status === "" ? words.noRunsText : words.noRunsOfText}
            />
          }
          footer={list.data.total > list.data.runs.length && words.shown(list.data.runs.length, list.data.total)}
        />
      ) : list.isError ? (
        <Failed error={list.error} onRetry={() => void list.refetch()} />
      ) : (
        <Skeleton height="12rem" />
      )}
      {again && (
        <Suspense fallback={null}>
          <RunDialog id={object.id} name={object.title} args={again} onClose={() => setAgain(undefined)} />
        </Suspense>
      )}
    </div>
  );
}

function useColumns(): RecordColumn<Run>[] {
  const words = useWords(automationsWords);
  const startedBy = words.startedByTypes as Record<string, string>;
  return [
    {
      id: "status",
      label: words.status,
      width: "8.5rem",
      cell: (run) => <StatusBadge status={run.status} isCancelled={run.cancelledAt !== undefined} />,
    },
    {
      id: "trigger",
      label: words.startedBy,
      width: "7rem",
      cell: ({ trigger }) => startedBy[trigger] ?? trigger,
    },
    {
      id: "started",
      label: words.startedAt,
      width: "13rem",
      cell: ({ startedAt, queuedAt }) => (
        <time dateTime={startedAt ?? queuedAt}>{formatMoment(startedAt ?? queuedAt)}</time>
      ),
    },
    {
      id: "duration",
      label: words.duration,
      align: "end",
      width: "6rem",
      cell: ({ durationMs }) => (durationMs === null ? "" : formatDuration(durationMs)),
    },
    {
      id: "result",
      label: words.result,
      cell: ({ status, error, result }) => (
        <code className={css.short}>{error ?? (status === "succeeded" ? JSON.stringify(result) : "")}</code>
      ),
    },
  ];
}

interface DetailsProps {
  automation: string;
  run: Run;
  onAgain: (args: JsonObject) => void;
  onShowHandler: () => void;
}

function Details({ automation, run, onAgain, onShowHandler }: DetailsProps) {
  const words = useWords(automationsWords);
  const given = useQuery(runQuery(automation, run.runId));
  const { args, event, request } = given.data ?? {};
  return (
    <div className={css.details}>
      <RunOutcome run={run} isBare onShowHandler={onShowHandler} />
      <div className={css.parts}>
        {given.isError && <Failed error={given.error} onRetry={() => void given.refetch()} />}
        {args && (
          <Part title={words.arguments}>
            <CodeText text={JSON.stringify(args, null, 2)} />
          </Part>
        )}
        {event && (
          <Part title={words.eventData}>
            <CodeText text={JSON.stringify(event, null, 2)} />
          </Part>
        )}
        {request && (
          <Part title={words.requestData}>
            <CodeText text={JSON.stringify(request, null, 2)} />
          </Part>
        )}
        <p className={css.line}>
          {args && (
            <Button icon={RotateCw} onPress={() => onAgain(args)}>
              {words.runAgain}
            </Button>
          )}
          {run.finishedAt === null && <CancelRun automation={automation} run={run.runId} />}
        </p>
      </div>
    </div>
  );
}

function CancelRun({ automation, run }: { automation: string; run: string }) {
  const words = useWords(automationsWords);
  const common = useWords(commonWords);
  const queries = useQueryClient();
  const [isPending, setIsPending] = useState(false);
  const cancel = async () => {
    setIsPending(true);
    try {
      await askData(routes.cancelJob, { path: { id: run } });
    } catch (error) {
      toast.bad(errorText(error, common).text);
      setIsPending(false);
    }
    await queries.invalidateQueries({ queryKey: ["runs", automation] });
  };
  return (
    <Button icon={CircleSlash} isPending={isPending} onPress={() => void cancel()}>
      {words.cancelRun}
    </Button>
  );
}
