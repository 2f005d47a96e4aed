// One job in full: its times, error and result.

import type { JobAnswer } from "@contract/jobs.ts";
import { CodeText } from "#fields/code/CodeText.tsx";
import { UndoButton } from "#pages/undo/UndoButton.tsx";
import { jobsWords } from "#words/jobs.ts";
import { useWords } from "#words/language.ts";
import { formatMoment } from "#words/moment.ts";
import css from "./jobs.module.css";

export function JobDetails({ job }: { job: JobAnswer }) {
  const words = useWords(jobsWords);
  const times: [string, string | null][] = [
    [words.created, job.createdAt],
    [words.runAt, job.status === "queued" ? job.runAt : null],
    [words.startedAt, job.startedAt],
    [words.finishedAt, job.finishedAt],
    [words.cancelledAt, job.cancelledAt],
  ];
  return (
    <div className={css.details}>
      <dl className={css.list}>
        <div>
          <dt>{words.id}</dt>
          <dd>
            <code>{job.id}</code>
          </dd>
        </div>
        {times.map(
          ([label, time]) =>
            time !== null && (
              <div key={label}>
                <dt>{label}</dt>
                <dd>
                  <time dateTime={time}>{formatMoment(time)}</time>
                </dd>
              </div>
            ),
        )}
      </dl>
      {job.kind === "import" && job.status === "succeeded" && (
        <div>
          <UndoButton by={{ import: job.id }} name={words.thisImport} label={words.undoImport} />
        </div>
      )}
      {job.error !== null && <Part title={words.error} text={job.error} />}
      {job.result !== null && <Part title={words.result} text={JSON.stringify(job.result, null, 2)} />}
    </div>
  );
}

function Part({ title, text }: { title: string; text: string }) {
  return (
    <section>
      <p className={css.title}>{title}</p>
      <CodeText text={text} />
    </section>
  );
}
