// Asks before properties of a version are stored at once, with a note for those who read the history.

import { maxNote } from "@contract/history.ts";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { errorText } from "#shell/LoadState.tsx";
import { ConfirmDialog } from "#ui/ConfirmDialog.tsx";
import { TextInput } from "#ui/TextInput.tsx";
import { commonWords } from "#words/common.ts";
import { historyWords } from "#words/history.ts";
import { useWords } from "#words/language.ts";
import { formatMoment } from "#words/moment.ts";
import { restoreVersion } from "./log-calls.ts";

interface Props {
  collection: string;
  id: string;
  change: string;
  /** When the version was made. */
  at: string;
  properties: string[];
  /** These are all in which it differs. */
  isWhole: boolean;
  etagNow: () => string;
  onStored: (said: string) => Promise<void>;
  onClose: () => void;
}

export function RestoreDialog(props: Props) {
  const { collection, id, change, at, properties, isWhole, etagNow, onStored, onClose } = props;
  const words = useWords(historyWords);
  const common = useWords(commonWords);
  const client = useQueryClient();
  const [note, setNote] = useState("");
  const restoring = useMutation({
    mutationFn: () =>
      restoreVersion({
        ...{ collection, id, change, note: note.trim().slice(0, maxNote), etag: etagNow() },
        properties: isWhole ? undefined : properties,
      }),
    onSuccess: async (lost) => {
      onClose();
      await onStored(lost === "" ? words.restored : words.restoredLost(lost));
      for (const queryKey of [["objects", collection], ["recent"]]) void client.invalidateQueries({ queryKey });
    },
  });
  return (
    <ConfirmDialog
      title={words.restoreTitle(formatMoment(at))}
      text={words.restoreText(properties.length)}
      confirmLabel={words.restoreLabel}
      isPending={restoring.isPending}
      error={restoring.error && errorText(restoring.error, common).text}
      onConfirm={() => restoring.mutate()}
      onCancel={onClose}
    >
      <TextInput label={words.note} description={words.noteHelp} value={note} onChange={setNote} autoComplete="off" />
    </ConfirmDialog>
  );
}
