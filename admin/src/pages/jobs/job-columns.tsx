// The columns of the list of jobs.

import type { JobAnswer } from "@contract/jobs.ts";
import type { RecordColumn } from "#grid/records/RecordGrid.tsx";
import { formatDuration } from "#pages/automations/duration.ts";
import { StatusBadge } from "#pages/automations/RunState.tsx";
import { TextLink } from "#shell/links.tsx";
import { Progress } from "#ui/Progress.tsx";
import { formatAgo, formatDateTime } from "#words/format.ts";
import { jobsWords } from "#words/jobs.ts";
import { useWords } from "#words/language.ts";
import { JobActions } from "./JobActions.tsx";
import { targetOf } from "./job-target.ts";
import css from "./jobs.module.css";

export function useJobColumns(): RecordColumn<JobAnswer>[] {
  const words = useWords(jobsWords);
  return [
    {
      id: "status",
      label: words.status,
      width: "8.5rem",
      cell: ({ status, cancelledAt }) => <StatusBadge status={status} isCancelled={cancelledAt !== null} />,
    },
    {
      id: "kind",
      label: words.kind,
      sortBy: ({ kind }) => kind,
      cell: ({ kind }) => <Whole>{words.kinds[kind] ?? kind}</Whole>,
    },
    {
      id: "about",
      label: words.about,
      width: "10rem",
      sortBy: ({ subject }) => subject,
      cell: (job) => <About job={job} />,
    },
    { id: "progress", label: words.progress, width: "9rem", cell: (job) => <JobProgress job={job} /> },
    {
      id: "attempts",
      label: words.attempts,
      align: "end",
      cell: ({ attempts, maxAttempts }) => <Whole>{words.attemptsOf(attempts, maxAttempts)}</Whole>,
    },
    {
      id: "created",
      label: words.created,
      sortBy: ({ createdAt }) => createdAt ?? "9",
      cell: ({ createdAt }) =>
        createdAt && (
          <time className={css.whole} dateTime={createdAt} title={formatDateTime(createdAt)}>
            {formatAgo(createdAt)}
          </time>
        ),
    },
    {
      id: "duration",
      label: words.duration,
      align: "end",
      cell: ({ startedAt, finishedAt }) =>
        startedAt && finishedAt && <Whole>{formatDuration(Date.parse(finishedAt) - Date.parse(startedAt))}</Whole>,
    },
    { id: "error", label: words.error, cell: ({ error }) => error && <span className={css.error}>{error}</span> },
    {
      id: "actions",
      label: words.actions,
      isLabelHidden: true,
      align: "end",
      cell: (job) => (
        <span className={css.whole}>
          <JobActions job={job} />
        </span>
      ),
    },
  ];
}

/** On one line. */
function Whole({ children }: { children: string }) {
  return <span className={css.whole}>{children}</span>;
}

function About({ job }: { job: JobAnswer }) {
  const target = targetOf(job);
  return target ? <TextLink {...target}>{job.subject}</TextLink> : job.subject;
}

function JobProgress({ job: { subject, status, progress } }: { job: JobAnswer }) {
  const words = useWords(jobsWords);
  const { done, total } = progress;
  const text = done > 0 || total > 0 ? words.done(done, total) : "";
  if (status !== "running") return text;
  return (
    <div className={css.progress}>
      <Progress label={words.progressOf(subject)} isLabelHidden {...(total > 0 && { value: done, max: total })} />
      {text !== "" && <span>{text}</span>}
    </div>
  );
}
