// Whole backups: made by a job with its progress, downloaded and deleted; all behind the password.

import type { Backup, BackupPlace } from "@contract/transfer.ts";
import { useQueryClient } from "@tanstack/react-query";
import { Archive, Download, Trash2 } from "lucide-react";
import { useId, useState } from "react";
import { addressOf, ask, askData } from "#api/client.ts";
import { routes } from "#api/routes.ts";
import { saveFile } from "#grid/bulk/export.ts";
import { RecordGrid } from "#grid/records/RecordGrid.tsx";
import { useCommand } from "#session/commands.ts";
import { Failed, Problem } from "#shell/LoadState.tsx";
import { useAttempt } from "#shell/use-attempt.ts";
import { Button } from "#ui/Button.tsx";
import { ConfirmDialog } from "#ui/ConfirmDialog.tsx";
import { EmptyState } from "#ui/EmptyState.tsx";
import { Notice } from "#ui/Notice.tsx";
import { Progress } from "#ui/Progress.tsx";
import { Slab } from "#ui/Slab.tsx";
import { toast } from "#ui/toast.ts";
import { backupsWords } from "#words/backups.ts";
import { commonWords } from "#words/common.ts";
import { formatBytes, formatDateTime, formatNumber } from "#words/format.ts";
import { useWords } from "#words/language.ts";
import css from "./backups.module.css";
import { isBehindPassword, useBackupJob, useBackups } from "./use-backups.ts";

export function WholeBackups() {
  const words = useWords(backupsWords);
  const common = useWords(commonWords);
  const client = useQueryClient();
  const heading = useId();
  const list = useBackups();
  const { attempt, error } = useAttempt();
  const [deleting, setDeleting] = useState<Backup>();
  const [started, setStarted] = useState<string | null>(null);
  const isLocked = isBehindPassword(list.error);
  const job = useBackupJob(started ?? list.data?.place.job ?? null, ({ status, result, error: why }) => {
    setStarted(null);
    if (status === "succeeded") toast.good(words.made(result?.name ?? ""));
    else toast.bad(status === "cancelled" ? words.cancelled : `${words.makeFailed}: ${why ?? ""}`);
  });
  const refresh = () => client.invalidateQueries({ queryKey: ["backups"] });
  /** Asks for the password where it is needed. */
  const look = async () => {
    await ask(routes.backups, { asksPassword: true });
    await refresh();
  };
  const make = () =>
    attempt(async () => {
      setStarted((await askData<{ job: string }>(routes.makeBackup)).job);
      await refresh();
    });
  const download = ({ name }: Backup) =>
    attempt(async () => {
      await look();
      saveFile(addressOf(routes.backup, { path: { name } }), name);
    });
  const remove = ({ name }: Backup) =>
    attempt(async () => {
      await ask(routes.deleteBackup, { path: { name } });
      toast.good(words.deleted);
      await refresh();
    });
  useCommand({ id: "back-up-now", label: words.backUpNow, run: make });
  const { backups = [], place } = list.data ?? {};
  return (
    <section className={css.part} aria-labelledby={heading}>
      <div className={css.head}>
        <h2 id={heading} className={css.title}>
          {words.whole}
        </h2>
        <Button variant="primary" icon={Archive} isPending={job !== undefined} onPress={make}>
          {words.backUpNow}
        </Button>
      </div>
      <p className={css.text}>{words.wholeText}</p>
      {place && <DiskSpace place={place} last={backups[0]} />}
      {error !== undefined && <Problem error={error} />}
      {job && (
        <Slab className={css.job}>
          <Progress
            label={words.making}
            {...(job.progress.total > 0 && { value: job.progress.done, max: job.progress.total })}
            detail={
              job.status === "queued"
                ? words.queued
                : job.progress.total > 0
                  ? words.rowsDone(formatNumber(job.progress.done), formatNumber(job.progress.total))
                  : words.filesDone(job.progress.done)
            }
          />
          <p className={css.note}>{words.goesOn}</p>
        </Slab>
      )}
      {isLocked ? (
        <Slab>
          <EmptyState
            title={words.locked}
            level={3}
            text={words.lockedText}
            action={<Button onPress={() => attempt(look)}>{words.show}</Button>}
          />
        </Slab>
      ) : list.error ? (
        <Failed error={list.error} onRetry={() => void list.refetch()} />
      ) : (
        list.data && (
          <RecordGrid
            label={words.backups}
            rows={backups}
            idOf={({ name }) => name}
            nameOf={({ name }) => name}
            columns={[
              { id: "name", label: words.name, cell: ({ name }) => <span className={css.mono}>{name}</span> },
              {
                id: "created",
                label: words.created,
                cell: ({ created }) => formatDateTime(created),
                sortBy: ({ created }) => created,
              },
              {
                id: "size",
                label: words.size,
                align: "end",
                cell: ({ size }) => formatBytes(size),
                sortBy: ({ size }) => size,
              },
              {
                id: "actions",
                label: words.actions,
                isLabelHidden: true,
                width: "1%",
                cell: (backup) => (
                  <span className={css.buttons}>
                    <Button variant="quiet" icon={Download} onPress={() => download(backup)}>
                      {words.download}
                    </Button>
                    <Button variant="quiet" icon={Trash2} onPress={() => setDeleting(backup)}>
                      {words.delete}
                    </Button>
                  </span>
                ),
              },
            ]}
            empty={<EmptyState title={words.none} level={3} text={words.noneText} />}
          />
        )
      )}
      {deleting && (
        <ConfirmDialog
          title={words.deleteTitle(deleting.name)}
          text={words.deleteText}
          confirmLabel={common.delete}
          tone="danger"
          onCancel={() => setDeleting(undefined)}
          onConfirm={() => {
            setDeleting(undefined);
            remove(deleting);
          }}
        />
      )}
    </section>
  );
}

/** Said before a backup is made: it takes about as much as the last one. */
function DiskSpace({ place, last }: { place: BackupPlace; last: Backup | undefined }) {
  const words = useWords(backupsWords);
  if (!place.disk) return null;
  const { free, total } = place.disk;
  if (last && free < last.size * 1.2) return <Notice tone="warn">{words.scarce(formatBytes(free))}</Notice>;
  return (
    <p className={css.note}>
      {words.free(formatBytes(free), formatBytes(total))} {last && words.lastTook(formatBytes(last.size))}
    </p>
  );
}
