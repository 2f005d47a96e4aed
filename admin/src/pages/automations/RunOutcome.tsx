// How one run went: status, time, error with its line, result and log.

import type { Run } from "@contract/jobs.ts";
import { CornerDownRight } from "lucide-react";
import type { ReactNode } from "react";
import { CodeText } from "#fields/code/CodeText.tsx";
import { Button } from "#ui/Button.tsx";
import { automationsWords } from "#words/automations.ts";
import { useWords } from "#words/language.ts";
import css from "./automations.module.css";
import { formatDuration } from "./duration.ts";
import { placeOf } from "./error-line.ts";
import { StatusBadge } from "./RunState.tsx";

interface Props {
  run: Run;
  /** Where status and time stand beside it. */
  isBare?: boolean;
  /** Goes to the line of the handler that failed. */
  onShowHandler?: (() => void) | undefined;
}

export function RunOutcome({ run, isBare = false, onShowHandler }: Props) {
  const words = useWords(automationsWords);
  const place = placeOf(run.error);
  return (
    <div className={css.parts}>
      {!isBare && (
        <p className={css.line}>
          <StatusBadge status={run.status} isCancelled={run.cancelledAt !== undefined} />
          {run.durationMs !== null && <span className={css.quiet}>{formatDuration(run.durationMs)}</span>}
        </p>
      )}
      {run.error !== null && (
        <Part title={words.error}>
          <CodeText text={run.error} />
          {place && onShowHandler && (
            <Button variant="quiet" icon={CornerDownRight} onPress={onShowHandler}>
              {words.goToLine(place.line)}
            </Button>
          )}
        </Part>
      )}
      {run.status === "succeeded" && (
        <Part title={words.result}>
          <CodeText text={JSON.stringify(run.result, null, 2)} />
        </Part>
      )}
      {run.finishedAt !== null || run.log.length > 0 ? (
        <Part title={words.log}>
          {run.log.length > 0 ? <CodeText text={run.log.join("\n")} /> : <p className={css.quiet}>{words.noLog}</p>}
        </Part>
      ) : null}
    </div>
  );
}

export function Part({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section className={css.part}>
      <p className={css.partTitle}>{title}</p>
      {children}
    </section>
  );
}
