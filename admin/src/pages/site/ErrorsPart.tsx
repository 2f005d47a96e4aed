// What went wrong on pages in the last days, counted, the newest first.

import type { SiteErrorInfo } from "@contract/site.ts";
import { useQuery } from "@tanstack/react-query";
import { CircleAlert, EyeOff } from "lucide-react";
import { type RecordColumn, RecordGrid } from "#grid/records/RecordGrid.tsx";
import { Failed } from "#shell/LoadState.tsx";
import { Badge } from "#ui/Badge.tsx";
import { Notice } from "#ui/Notice.tsx";
import { Skeleton } from "#ui/Skeleton.tsx";
import { useDelayed } from "#ui/useDelayed.ts";
import { formatAgo, formatDateTime, formatNumber } from "#words/format.ts";
import { useWords } from "#words/language.ts";
import { siteWords } from "#words/site.ts";
import { TemplateLink } from "./ChecksPart.tsx";
import { Part } from "./Part.tsx";
import css from "./site.module.css";
import { siteErrorsQuery } from "./site-calls.ts";

export function ErrorsPart() {
  const words = useWords(siteWords);
  const errors = useQuery(siteErrorsQuery);
  const isSlow = useDelayed(errors.isPending, 300);
  const columns = useColumns();
  return (
    <Part title={words.errors} text={words.errorsText}>
      {errors.data ? (
        <RecordGrid
          label={words.errors}
          columns={columns}
          rows={errors.data}
          idOf={({ id }) => id}
          nameOf={({ message }) => message}
          empty={
            <div role="status">
              <Notice tone="good">{words.noErrors}</Notice>
            </div>
          }
        />
      ) : errors.isError ? (
        <Failed error={errors.error} onRetry={() => void errors.refetch()} />
      ) : (
        isSlow && <Skeleton height="6rem" />
      )}
    </Part>
  );
}

function useColumns(): RecordColumn<SiteErrorInfo>[] {
  const words = useWords(siteWords);
  return [
    {
      id: "what",
      label: words.what,
      cell: ({ kind, message, requestId }) => (
        <span className={css.lines}>
          <Badge tone={kind === "page" ? "bad" : "warn"} icon={kind === "page" ? CircleAlert : EyeOff}>
            {words.errorKinds[kind]}
          </Badge>
          <span>{message}</span>
          {requestId !== "" && <span className={css.quiet}>{words.request(requestId)}</span>}
        </span>
      ),
    },
    {
      id: "where",
      label: words.where,
      cell: ({ template, line, path }) => (
        <span className={css.lines}>
          {template !== "" && <TemplateLink id={template} line={line} />}
          {path !== "" && <code className={css.mono}>{path}</code>}
        </span>
      ),
    },
    {
      id: "times",
      label: words.times,
      align: "end",
      width: "6rem",
      sortBy: ({ count }) => count,
      cell: ({ count }) => formatNumber(count),
    },
    {
      id: "last",
      label: words.lastTime,
      width: "9rem",
      sortBy: ({ last }) => last,
      cell: ({ last }) => <span title={formatDateTime(last)}>{formatAgo(last)}</span>,
    },
  ];
}
