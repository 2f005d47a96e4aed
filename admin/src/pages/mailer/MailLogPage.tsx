// The log of all mails with its filters, and the batches.

import { mailStatuses } from "@contract/mail.ts";
import { useQuery } from "@tanstack/react-query";
import { useSearch } from "@tanstack/react-router";
import { useId, useState } from "react";
import { useCollection } from "#session/start.ts";
import { Failed } from "#shell/LoadState.tsx";
import { Page } from "#shell/Page.tsx";
import type { Search } from "#shell/paths.ts";
import { Button } from "#ui/Button.tsx";
import { Chip } from "#ui/Chip.tsx";
import { EmptyState } from "#ui/EmptyState.tsx";
import layout from "#ui/layout.module.css";
import { RadioGroup } from "#ui/RadioGroup.tsx";
import { Skeleton } from "#ui/Skeleton.tsx";
import { useDelayed } from "#ui/useDelayed.ts";
import { useWords } from "#words/language.ts";
import { mailerWords } from "#words/mailer.ts";
import { shellWords } from "#words/shell.ts";
import { Batches } from "./Batches.tsx";
import { MailLog } from "./MailLog.tsx";
import { MailNotice } from "./MailNotice.tsx";
import { batchesQuery, logQuery, mailerCollection } from "./mail-calls.ts";
import { useSearchChange } from "./open-dialog.ts";

const pageSize = 50;
const most = 100;
const shownBatches = 20;

export function MailLogPage() {
  const words = useWords(mailerWords);
  const { run } = useWords(shellWords);
  const heading = useId();
  const search = useSearch({ strict: false }) as Search;
  const isThere = useCollection(mailerCollection) !== undefined;
  const [limit, setLimit] = useState(pageSize);
  const status = mailStatuses.find((one) => one === search.state);
  const filter = { mailer: search.mail, batch: search.batch, status };
  const log = useQuery({ ...logQuery(filter, limit), enabled: isThere });
  const batches = useQuery({ ...batchesQuery(search.mail, shownBatches), enabled: isThere });
  const isSlow = useDelayed(log.isPending, 300);
  const change = useSearchChange();
  const hasFilter = [search.mail, search.batch, status].some((one) => one !== undefined);
  const clear = () => change({ mail: undefined, batch: undefined, state: undefined });
  return (
    <Page
      title={words.log}
      breadcrumbs={[{ label: run }, { label: words.title, to: "/admin/mailer" }]}
      needs={isThere}
      isBusy={log.isPending}
    >
      <div className={layout.stack}>
        <MailNotice />
        <div className={layout.row}>
          <RadioGroup
            label={words.state}
            isLabelHidden
            look="segments"
            value={status ?? "all"}
            onChange={(next) => change({ state: next === "all" ? undefined : next })}
            options={(["all", ...mailStatuses] as const).map((one) => ({ value: one, label: words.states[one] }))}
          />
          {search.mail !== undefined && (
            <Chip
              label={`${words.mail}: ${search.mail}`}
              onRemove={() => change({ mail: undefined })}
              removeLabel={words.clearFilters}
            />
          )}
          {search.batch !== undefined && (
            <Chip
              label={`${words.batch}: ${search.batch.slice(0, 8)}`}
              onRemove={() => change({ batch: undefined })}
              removeLabel={words.clearFilters}
            />
          )}
        </div>
        {log.data ? (
          <MailLog
            mails={log.data.rows}
            empty={
              hasFilter ? (
                <EmptyState
                  title={words.noMatch}
                  action={<Button onPress={clear}>{words.clearFilters}</Button>}
                  drawing={null}
                />
              ) : (
                <EmptyState title={words.emptyLog} />
              )
            }
            footer={
              <div className={layout.footer}>
                <span className={layout.quiet}>{words.logCount(log.data.total)}</span>
                {log.data.total > log.data.rows.length && limit < most && (
                  <Button onPress={() => setLimit(most)}>{words.older}</Button>
                )}
              </div>
            }
          />
        ) : log.isError ? (
          <Failed error={log.error} onRetry={() => void log.refetch()} />
        ) : (
          isSlow && <Skeleton height="12rem" />
        )}
        {batches.data && batches.data.total > 0 && (
          <section aria-labelledby={heading} className={layout.part}>
            <h2 id={heading} className={layout.title}>
              {words.batches}
            </h2>
            <Batches batches={batches.data.rows} />
          </section>
        )}
      </div>
    </Page>
  );
}
