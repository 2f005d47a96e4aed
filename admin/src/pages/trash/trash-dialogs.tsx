// Questions of the trash: delete for good, empty it, restore under another id.

import type { TrashEntry } from "@contract/history.ts";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { ask } from "#api/client.ts";
import { routes } from "#api/routes.ts";
import { errorText } from "#shell/LoadState.tsx";
import { Button } from "#ui/Button.tsx";
import { ConfirmDialog } from "#ui/ConfirmDialog.tsx";
import { Dialog } from "#ui/Dialog.tsx";
import { TextInput } from "#ui/TextInput.tsx";
import { toast } from "#ui/toast.ts";
import { commonWords } from "#words/common.ts";
import { useWords } from "#words/language.ts";
import { trashWords } from "#words/trash.ts";
import { type Restored, restoreDeleted } from "./trash-calls.ts";

interface EntryProps {
  entry: TrashEntry;
  name: string;
  onClose: () => void;
}

export function PurgeDialog({ entry, name, onClose }: EntryProps) {
  const words = useWords(trashWords);
  const common = useWords(commonWords);
  const client = useQueryClient();
  const purging = useMutation({
    mutationFn: () => ask(routes.purgeDeleted, { path: { change: entry.change } }),
    onSuccess: async () => {
      await client.invalidateQueries({ queryKey: ["trash"] });
      onClose();
      toast.good(words.purged(name));
    },
  });
  return (
    <ConfirmDialog
      title={words.purgeTitle(name)}
      text={words.purgeText}
      confirmLabel={words.purge}
      tone="danger"
      isPending={purging.isPending}
      error={purging.error && errorText(purging.error, common).text}
      onConfirm={() => purging.mutate()}
      onCancel={onClose}
    />
  );
}

export function EmptyDialog({ collection, name, onClose }: { collection: string; name: string; onClose: () => void }) {
  const words = useWords(trashWords);
  const common = useWords(commonWords);
  const client = useQueryClient();
  const emptying = useMutation({
    mutationFn: () => ask(routes.emptyTrash, { query: { collection, confirm: collection } }),
    onSuccess: async () => {
      await client.invalidateQueries({ queryKey: ["trash"] });
      onClose();
      toast.good(words.emptied);
    },
  });
  return (
    <ConfirmDialog
      title={words.emptyQuestion(name)}
      text={words.emptyWarning}
      confirmLabel={words.empty}
      tone="danger"
      typed={{ label: words.typeToConfirm(collection), value: collection }}
      isPending={emptying.isPending}
      error={emptying.error && errorText(emptying.error, common).text}
      onConfirm={() => emptying.mutate()}
      onCancel={onClose}
    />
  );
}

interface RestoreAsProps extends EntryProps {
  onRestored: (restored: Restored) => void;
}

/** Its id is taken meanwhile. */
export function RestoreAsDialog({ entry, name, onRestored, onClose }: RestoreAsProps) {
  const words = useWords(trashWords);
  const common = useWords(commonWords);
  const [id, setId] = useState(`${entry.id}-restored`);
  const restoring = useMutation({
    mutationFn: () => restoreDeleted(entry.change, id.trim()),
    onSuccess: (restored) => {
      onClose();
      onRestored(restored);
    },
  });
  return (
    <Dialog
      title={words.restoreTitle(name)}
      size="small"
      onClose={onClose}
      onSubmit={() => restoring.mutate()}
      footer={
        <>
          <Button onPress={onClose}>{common.cancel}</Button>
          <Button type="submit" variant="primary" isPending={restoring.isPending}>
            {words.restore}
          </Button>
        </>
      }
    >
      <p>{words.takenText}</p>
      <TextInput
        label={words.newId}
        value={id}
        onChange={setId}
        error={restoring.error ? errorText(restoring.error, common).text : undefined}
        autoComplete="off"
        spellCheck={false}
        isMono
        autoFocus
      />
    </Dialog>
  );
}
