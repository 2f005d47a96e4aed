// How runs went: the status of one, the last ones as small bars, and whether an automation needs somebody.

import type { AutomationState, EndedRun, JobStatus } from "@contract/jobs.ts";
import { CircleCheck, CircleDashed, CircleSlash, CircleX, LoaderCircle, PowerOff, TriangleAlert } from "lucide-react";
import { Badge, type Tone } from "#ui/Badge.tsx";
import { Spark } from "#ui/Spark.tsx";
import { automationsWords } from "#words/automations.ts";
import { useWords } from "#words/language.ts";
import css from "./automations.module.css";

const looks = {
  queued: { tone: "neutral", icon: CircleDashed },
  running: { tone: "info", icon: LoaderCircle },
  succeeded: { tone: "good", icon: CircleCheck },
  failed: { tone: "bad", icon: CircleX },
} as const satisfies Record<JobStatus, { tone: Tone; icon: unknown }>;

interface StatusProps {
  status: JobStatus;
  /** Somebody cancelled it. */
  isCancelled?: boolean;
}

export function StatusBadge({ status, isCancelled = false }: StatusProps) {
  const words = useWords(automationsWords);
  if (isCancelled)
    return (
      <Badge tone="neutral" icon={CircleSlash}>
        {status === "running" ? words.stopping : words.cancelled}
      </Badge>
    );
  const { tone, icon } = looks[status];
  return (
    <Badge tone={tone} icon={icon}>
      {words.statuses[status]}
    </Badge>
  );
}

/** The oldest at the left; a failed run is a full bar, so that it is seen without colour too. */
export function LastRuns({ runs, isShort = false }: { runs: readonly EndedRun[]; isShort?: boolean }) {
  const words = useWords(automationsWords);
  if (runs.length === 0) return <span className={css.quiet}>{words.never}</span>;
  const inOrder = [...runs].reverse();
  const hasFailed = (at: number) => inOrder[at]?.status === "failed";
  const failed = runs.filter(({ status }) => status === "failed").length;
  return (
    <span className={css.runs}>
      <Spark
        label={words.sparkOf(runs.length, failed)}
        values={inOrder.map((_, at) => (hasFailed(at) ? 4 : 1))}
        isMarked={hasFailed}
        height={16}
      />
      <span className={css.quiet} aria-hidden="true">
        {isShort ? failed > 0 && words.failedOf(failed) : words.lastCount(runs.length)}
      </span>
    </span>
  );
}

export function StateBadge({ state }: { state: AutomationState }) {
  const words = useWords(automationsWords);
  if (state.autoDisabled)
    return (
      <Badge tone="warn" icon={PowerOff}>
        {words.switchedOff}
      </Badge>
    );
  return state.enabled && state.lastRuns[0]?.status === "failed" ? (
    <Badge tone="bad" icon={TriangleAlert}>
      {words.failing}
    </Badge>
  ) : null;
}
