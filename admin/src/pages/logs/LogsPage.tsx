// The logs: sign-ins and changes of rights, the OAuth server, calls of AI clients. The address holds the filters.

import type { AuditEntry } from "@contract/audit.ts";
import { auditLogs, logTypes } from "@contract/audit.ts";
import { useQuery } from "@tanstack/react-query";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { useMemo, useState } from "react";
import { type RecordColumn, RecordGrid } from "#grid/records/RecordGrid.tsx";
import { keysQuery } from "#pages/api-keys/keys.ts";
import { useCan, useStart } from "#session/start.ts";
import { errorText, Failed } from "#shell/LoadState.tsx";
import { linkProps } from "#shell/links.tsx";
import { Page } from "#shell/Page.tsx";
import { Badge } from "#ui/Badge.tsx";
import { Button } from "#ui/Button.tsx";
import { DateInput } from "#ui/DateInput.tsx";
import { EmptyState } from "#ui/EmptyState.tsx";
import { Menu } from "#ui/Menu.tsx";
import { Notice } from "#ui/Notice.tsx";
import { RadioGroup } from "#ui/RadioGroup.tsx";
import { Select } from "#ui/Select.tsx";
import { Skeleton } from "#ui/Skeleton.tsx";
import { Switch } from "#ui/Switch.tsx";
import { toast } from "#ui/toast.ts";
import { useDelayed } from "#ui/useDelayed.ts";
import { commonWords } from "#words/common.ts";
import { formatNumber } from "#words/format.ts";
import { useWords } from "#words/language.ts";
import { logsWords } from "#words/logs.ts";
import { shellWords } from "#words/shell.ts";
import { callerOf, detailsOf, isBad, summaryOf } from "./entry-text.ts";
import { exportLog } from "./export-log.ts";
import styles from "./LogsPage.module.css";
import { hasFilters, type Question, questionOf, searchOf } from "./question.ts";
import { formatSecond } from "./second.ts";
import { UserFilter } from "./UserFilter.tsx";
import { useLog } from "./use-log.ts";

export function LogsPage() {
  const words = useWords(logsWords);
  const mayRead = useCan()("read", "admin");
  if (!mayRead) return <Page title={words.title} needs={false} />;
  return <Opened />;
}

function Opened() {
  const words = useWords(logsWords);
  const { manage } = useWords(shellWords);
  const question = questionOf(useSearch({ strict: false }));
  const navigate = useNavigate();
  const [isLive, setIsLive] = useState(true);
  const log = useLog(question, isLive && question.to === "");
  const ask = (change: Partial<Question>) => {
    const search = searchOf({ ...question, ...change });
    void navigate({
      ...linkProps({ to: "/admin/utils/logs", search }),
      replace: true,
      resetScroll: false,
      state: { keepFocus: true },
    });
  };
  return (
    <Page
      title={words.title}
      breadcrumbs={[{ label: manage }]}
      isWide
      isBusy={log.isPending}
      actions={
        <>
          <Switch
            label={words.live}
            isSelected={isLive && question.to === ""}
            onChange={setIsLive}
            isDisabled={question.to !== ""}
          />
          <ExportMenu question={question} />
        </>
      }
    >
      <RadioGroup
        label={words.log}
        isLabelHidden
        look="segments"
        value={question.log}
        onChange={(chosen) => ask({ log: chosen as Question["log"], type: "" })}
        options={auditLogs.map((value) => ({ value, label: words.logNames[value] }))}
      />
      <p className={styles.text}>{words.logTexts[question.log]}</p>
      <Filters question={question} onChange={ask} />
      {log.hasTailFailed && <Notice tone="warn">{words.tailFailed}</Notice>}
      <Entries question={question} log={log} onClear={() => ask({ type: "", user: "", from: "", to: "" })} />
    </Page>
  );
}

interface FiltersProps {
  question: Question;
  onChange: (change: Partial<Question>) => void;
}

function Filters({ question, onChange }: FiltersProps) {
  const words = useWords(logsWords);
  const { log, type, user, from, to } = question;
  return (
    <div className={styles.filters}>
      <Select
        label={words.type}
        value={type}
        onChange={(chosen) => onChange({ type: chosen })}
        options={logTypes[log].map((value) => ({ value, label: value }))}
        placeholder={words.anyType}
        isClearable
      />
      <UserFilter value={user} onChange={(chosen) => onChange({ user: chosen })} />
      <DateInput label={words.from} value={from} onChange={(day) => onChange({ from: day })} />
      <DateInput label={words.to} value={to} onChange={(day) => onChange({ to: day })} />
      {hasFilters(question) && (
        <Button variant="quiet" onPress={() => onChange({ type: "", user: "", from: "", to: "" })}>
          {words.clear}
        </Button>
      )}
    </div>
  );
}

interface EntriesProps {
  question: Question;
  log: ReturnType<typeof useLog>;
  onClear: () => void;
}

function Entries({ question, log, onClear }: EntriesProps) {
  const words = useWords(logsWords);
  const { entries, hasNextPage } = log;
  const columns = useColumns();
  const isWaiting = useDelayed(log.isPending, 300);
  if (log.isError && entries.length === 0) return <Failed error={log.error} onRetry={() => void log.refetch()} />;
  if (log.isPending) return isWaiting ? <Skeleton height="20rem" /> : null;
  const isNarrow = hasFilters(question);
  return (
    <RecordGrid
      label={words.logNames[question.log]}
      columns={columns}
      rows={entries}
      idOf={({ id }) => id}
      nameOf={({ time, type }) => `${type} ${formatSecond(time)}`}
      details={detailList}
      isBusy={log.isFetchingNextPage}
      empty={
        <EmptyState
          title={isNarrow ? words.noMatch : words.empty}
          text={hasNextPage ? words.searching : isNarrow ? words.noMatchText : words.emptyText}
          action={hasNextPage ? <Older log={log} /> : isNarrow && <Button onPress={onClear}>{words.clear}</Button>}
        />
      }
      footer={
        <div className={styles.footer}>
          <span role="status">{hasNextPage ? words.andMore(entries.length) : words.count(entries.length)}</span>
          {hasNextPage && <Older log={log} />}
        </div>
      }
    />
  );
}

function Older({ log }: Pick<EntriesProps, "log">) {
  const words = useWords(logsWords);
  return (
    <Button isPending={log.isFetchingNextPage} onPress={() => void log.fetchNextPage()}>
      {words.older}
    </Button>
  );
}

function detailList(entry: AuditEntry) {
  const details = detailsOf(entry);
  if (details.length === 0) return undefined;
  return (
    <dl className={styles.details}>
      {details.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>
            <code>{value}</code>
          </dd>
        </div>
      ))}
    </dl>
  );
}

/** Names of keys by their ids, where the caller may read keys. */
function useKeyNames(): ReadonlyMap<string, string> {
  const can = useCan();
  const { site } = useStart();
  const mayRead = can("read", "admin") && site.edition === "pro";
  const { data } = useQuery({ ...keysQuery, enabled: mayRead, retry: false });
  return useMemo(() => new Map(data?.map(({ id, name }) => [id, name])), [data]);
}

function useColumns(): RecordColumn<AuditEntry>[] {
  const words = useWords(logsWords);
  const keys = useKeyNames();
  return [
    {
      id: "time",
      label: words.time,
      cell: ({ time }) => (
        <time className={styles.once} dateTime={time}>
          {formatSecond(time)}
        </time>
      ),
    },
    {
      id: "type",
      label: words.type,
      cell: (entry) => <Badge tone={isBad(entry) ? "bad" : "neutral"}>{entry.type}</Badge>,
    },
    {
      id: "by",
      label: words.by,
      cell: (entry) => (entry.actor === undefined ? null : <span>{callerOf(entry, words, keys)}</span>),
    },
    { id: "about", label: words.about, cell: ({ user }) => user },
    {
      id: "what",
      label: words.what,
      cell: (entry) => <span className={styles.summary}>{entry.message ?? summaryOf(entry)}</span>,
    },
  ];
}

function ExportMenu({ question }: { question: Question }) {
  const words = useWords(logsWords);
  const common = useWords(commonWords);
  const save = async (format: "json" | "csv") => {
    toast.good(words.exporting);
    try {
      const { count, isCut } = await exportLog(question, format);
      toast.good(isCut ? words.exportCut(formatNumber(count)) : words.exported(count));
    } catch (error) {
      toast.bad(errorText(error, common).text);
    }
  };
  return (
    <Menu
      button={words.exportAs}
      items={[
        { id: "json", label: words.json, onAction: () => void save("json") },
        { id: "csv", label: words.csv, onAction: () => void save("csv") },
      ]}
    />
  );
}
