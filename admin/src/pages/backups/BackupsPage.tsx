// Whole backups, and snapshots of what was replaced.

import { useState } from "react";
import { useCan } from "#session/start.ts";
import { Page } from "#shell/Page.tsx";
import { backupsWords } from "#words/backups.ts";
import { useWords } from "#words/language.ts";
import { shellWords } from "#words/shell.ts";
import css from "./backups.module.css";
import { SnapshotsPart } from "./SnapshotsPart.tsx";
import { WholeBackups } from "./WholeBackups.tsx";

export function BackupsPage() {
  const words = useWords(backupsWords);
  const ofShell = useWords(shellWords);
  const isAllowed = useCan()("update", "admin");
  const [isBusy, setIsBusy] = useState(true);
  if (!isAllowed) return <Page title={words.title} needs={false} />;
  return (
    <Page title={words.title} breadcrumbs={[{ label: ofShell.manage }]} isBusy={isBusy}>
      <div className={css.page}>
        <WholeBackups />
        <SnapshotsPart onLoaded={() => setIsBusy(false)} />
      </div>
    </Page>
  );
}
