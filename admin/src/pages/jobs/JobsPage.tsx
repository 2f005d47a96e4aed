// Work that outlives a request: what waits, what runs and how far it is, what failed and why.

import { type JobAnswer, jobStatuses } from "@contract/jobs.ts";
import { keepPreviousData, useQuery, useQueryClient } from "@tanstack/react-query";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { Eraser } from "lucide-react";
import { useState } from "react";
import { askData } from "#api/client.ts";
import { routes } from "#api/routes.ts";
import { RecordGrid } from "#grid/records/RecordGrid.tsx";
import { useCommand } from "#session/commands.ts";
import { useCan } from "#session/start.ts";
import { errorText, Failed } from "#shell/LoadState.tsx";
import { Page } from "#shell/Page.tsx";
import type { Search } from "#shell/paths.ts";
import { Button } from "#ui/Button.tsx";
import { EmptyState } from "#ui/EmptyState.tsx";
import { RadioGroup } from "#ui/RadioGroup.tsx";
import { Select } from "#ui/Select.tsx";
import { Skeleton } from "#ui/Skeleton.tsx";
import { toast } from "#ui/toast.ts";
import { useDelayed } from "#ui/useDelayed.ts";
import { commonWords } from "#words/common.ts";
import { jobsWords } from "#words/jobs.ts";
import { useWords } from "#words/language.ts";
import { shellWords } from "#words/shell.ts";
import { JobDetails } from "./JobDetails.tsx";
import { type JobChoice, jobsKey, jobsQuery } from "./job-calls.ts";
import { useJobColumns } from "./job-columns.tsx";
import css from "./jobs.module.css";

export function JobsPage() {
  const words = useWords(jobsWords);
  const { run } = useWords(shellWords);
  const can = useCan();
  const needs = can("read", "admin");
  const { choice, choose } = useChoice();
  const [pages, setPages] = useState(1);
  const list = useQuery({ ...jobsQuery(choice, pages), enabled: needs, placeholderData: keepPreviousData });
  const isSlow = useDelayed(list.isPending, 300);
  const { clear, isClearing } = useClear(choice);
  const columns = useJobColumns();
  const isChosen = choice.status !== "" || choice.kind !== "";
  useCommand(needs ? { id: "clear-jobs", label: words.clearFinished, run: () => void clear() } : undefined);
  const nameOf = ({ kind, subject }: JobAnswer) => words.nameOf(words.kinds[kind] ?? kind, subject);
  return (
    <Page
      title={words.title}
      breadcrumbs={[{ label: run }]}
      needs={needs}
      isBusy={list.isPending}
      isWide
      actions={
        <Button icon={Eraser} isPending={isClearing} onPress={() => void clear()}>
          {words.clearFinished}
        </Button>
      }
    >
      <div className={css.stack}>
        <div className={css.choices}>
          <RadioGroup
            label={words.status}
            isLabelHidden
            look="segments"
            value={choice.status}
            onChange={(status) => choose({ status })}
            options={[
              { value: "", label: words.all },
              ...jobStatuses.map((status) => ({ value: status, label: words.statuses[status] })),
            ]}
          />
          <div className={css.kind}>
            <Select
              label={words.kind}
              isLabelHidden
              value={choice.kind}
              placeholder={words.allKinds}
              isClearable
              onChange={(kind) => choose({ kind })}
              options={Object.entries(words.kinds).map(([value, label]) => ({ value, label }))}
            />
          </div>
        </div>
        {list.data ? (
          <RecordGrid
            label={words.title}
            columns={columns}
            rows={list.data.jobs}
            idOf={({ id }) => id}
            nameOf={nameOf}
            details={(job) => <JobDetails job={job} />}
            detailsLabel={words.details}
            empty={
              isChosen ? (
                <EmptyState
                  title={words.noneOf}
                  text={words.noneOfText}
                  action={<Button onPress={() => choose({ status: "", kind: "" })}>{words.showAll}</Button>}
                />
              ) : (
                <EmptyState title={words.emptyTitle} text={words.emptyText} />
              )
            }
            footer={
              <div className={css.footer}>
                <span>{words.shown(list.data.jobs.length, list.data.total)}</span>
                {list.data.total > list.data.jobs.length && (
                  <Button isPending={list.isPlaceholderData} onPress={() => setPages(pages + 1)}>
                    {words.more}
                  </Button>
                )}
              </div>
            }
          />
        ) : list.isError ? (
          <Failed error={list.error} onRetry={() => void list.refetch()} />
        ) : (
          isSlow && <Skeleton height="14rem" />
        )}
      </div>
    </Page>
  );
}

/** In the address. */
function useChoice(): { choice: JobChoice; choose: (change: { status?: string; kind?: string }) => void } {
  const search = useSearch({ strict: false });
  const navigate = useNavigate();
  return {
    choice: { status: jobStatuses.find((one) => one === search.status) ?? "", kind: search.kind ?? "" },
    choose: (change) =>
      void navigate({
        to: ".",
        search: (before: Search) => {
          const { status, kind } = { ...before, ...change };
          return { ...before, status: status || undefined, kind: kind || undefined };
        },
        state: { keepFocus: true },
        replace: true,
        resetScroll: false,
      }),
  };
}

/** Of those that are shown, all that have ended. */
function useClear({ status, kind }: JobChoice): { clear: () => Promise<void>; isClearing: boolean } {
  const words = useWords(jobsWords);
  const common = useWords(commonWords);
  const queries = useQueryClient();
  const [isClearing, setIsClearing] = useState(false);
  const clear = async () => {
    setIsClearing(true);
    try {
      const finished = status === "succeeded" || status === "failed" ? status : undefined;
      const query = { status: finished, kind: kind || undefined };
      const { cleared } = await askData<{ cleared: number }>(routes.clearJobs, { query });
      toast.good(words.cleared(cleared));
      for (const queryKey of [jobsKey, ["start"]]) void queries.invalidateQueries({ queryKey });
    } catch (error) {
      toast.bad(errorText(error, common).text);
    }
    setIsClearing(false);
  };
  return { clear, isClearing };
}
