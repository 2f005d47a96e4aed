// Batches with how far they are; the rest of one that is under way can be stopped.

import type { MailBatch } from "@contract/mail.ts";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { CircleCheck, CircleStop, Clock } from "lucide-react";
import { useState } from "react";
import { askData } from "#api/client.ts";
import { routes } from "#api/routes.ts";
import { RecordGrid } from "#grid/records/RecordGrid.tsx";
import { useCan } from "#session/start.ts";
import { Problem } from "#shell/LoadState.tsx";
import { TextLink } from "#shell/links.tsx";
import { Badge } from "#ui/Badge.tsx";
import { Button } from "#ui/Button.tsx";
import { ConfirmDialog } from "#ui/ConfirmDialog.tsx";
import layout from "#ui/layout.module.css";
import { Progress } from "#ui/Progress.tsx";
import { toast } from "#ui/toast.ts";
import { formatDateTime, formatNumber } from "#words/format.ts";
import { useWords } from "#words/language.ts";
import { mailerWords } from "#words/mailer.ts";
import { doneOf, isUnderWay, mailerCollection, refreshMails, waitsUntil } from "./mail-calls.ts";
import css from "./mailer.module.css";

export function Batches({ batches }: { batches: MailBatch[] }) {
  const words = useWords(mailerWords);
  const can = useCan();
  const [stopping, setStopping] = useState<MailBatch>();
  const nameOf = ({ mailer, created }: MailBatch) => words.batchName(mailer, formatDateTime(created));
  const number = (value: number) => (value === 0 ? "" : formatNumber(value));
  return (
    <>
      <RecordGrid
        label={words.batches}
        rows={batches}
        idOf={({ batch }) => batch}
        nameOf={nameOf}
        columns={[
          {
            id: "mail",
            label: words.mail,
            cell: (batch) => (
              <TextLink to="/admin/mailer/-log" search={{ batch: batch.batch }}>
                {nameOf(batch)}
              </TextLink>
            ),
          },
          { id: "collection", label: words.collection, cell: ({ collection }) => collection },
          {
            id: "progress",
            label: words.progress,
            width: "10rem",
            cell: (batch) => (
              <div className={css.progress}>
                <Progress
                  label={words.batchProgress(nameOf(batch))}
                  isLabelHidden
                  value={doneOf(batch)}
                  max={Math.max(batch.total, 1)}
                />
                <span>{words.done(formatNumber(doneOf(batch)), formatNumber(batch.total))}</span>
              </div>
            ),
          },
          { id: "sent", label: words.states.sent, align: "end", cell: ({ sent }) => number(sent) },
          { id: "failed", label: words.states.failed, align: "end", cell: ({ failed }) => number(failed) },
          { id: "skipped", label: words.states.skipped, align: "end", cell: ({ skipped }) => number(skipped) },
          {
            id: "state",
            label: words.state,
            cell: (batch) =>
              isUnderWay(batch) ? (
                <span className={layout.row}>
                  <Badge tone="info" icon={Clock}>
                    {waitsUntil(batch) ? words.scheduledFor(formatDateTime(batch.scheduledAt ?? "")) : words.running}
                  </Badge>
                  {can("update", { objects: mailerCollection }) && (
                    <Button
                      icon={CircleStop}
                      aria-label={`${words.stop} ${nameOf(batch)}`}
                      onPress={() => setStopping(batch)}
                    >
                      {words.stop}
                    </Button>
                  )}
                </span>
              ) : batch.isCancelled ? (
                <Badge tone="warn" icon={CircleStop}>
                  {words.stopped}
                </Badge>
              ) : (
                <Badge tone="good" icon={CircleCheck}>
                  {words.finished}
                </Badge>
              ),
          },
        ]}
        empty={<p className={layout.quiet}>{words.noBatches}</p>}
      />
      {stopping && <StopDialog batch={stopping} onClose={() => setStopping(undefined)} />}
    </>
  );
}

function StopDialog({ batch, onClose }: { batch: MailBatch; onClose: () => void }) {
  const words = useWords(mailerWords);
  const queries = useQueryClient();
  const stop = useMutation({
    mutationFn: () => askData<{ cancelled: number }>(routes.stopMailBatch, { path: { batch: batch.batch } }),
    onSuccess: ({ cancelled }) => {
      toast.good(words.batchStopped(cancelled));
      onClose();
      void refreshMails(queries);
    },
  });
  return (
    <ConfirmDialog
      title={words.stopTitle}
      text={words.stopText}
      confirmLabel={words.stop}
      tone="danger"
      isPending={stop.isPending}
      error={stop.isError && <Problem error={stop.error} />}
      onConfirm={() => stop.mutate()}
      onCancel={onClose}
    />
  );
}
