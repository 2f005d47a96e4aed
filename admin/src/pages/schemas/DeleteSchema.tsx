// Deletes a schema after a question; one that is in use is not deleted, and the dialog says what uses it.

import { useMutation, useQueryClient } from "@tanstack/react-query";
import { ask } from "#api/client.ts";
import { routes } from "#api/routes.ts";
import { errorText } from "#shell/LoadState.tsx";
import { Button } from "#ui/Button.tsx";
import { ConfirmDialog } from "#ui/ConfirmDialog.tsx";
import { Dialog } from "#ui/Dialog.tsx";
import { toast } from "#ui/toast.ts";
import { commonWords } from "#words/common.ts";
import { useWords } from "#words/language.ts";
import { schemasWords } from "#words/schemas.ts";
import { forgetSchemas, type SchemaUse } from "./schema-queries.ts";
import { UsedBy, usesText } from "./UsedBy.tsx";

interface Props {
  id: string;
  title: string;
  use: SchemaUse;
  onClose: () => void;
  /** Before the lists are asked for again. */
  onDeleted: () => void;
}

export function DeleteSchema({ id, title, use, onClose, onDeleted }: Props) {
  const words = useWords(schemasWords);
  const common = useWords(commonWords);
  const queries = useQueryClient();
  const deleting = useMutation({
    mutationFn: () => ask(routes.deleteSchema, { path: { id } }),
    onSuccess: () => {
      onDeleted();
      toast.good(words.deleted(title));
      forgetSchemas(queries);
    },
  });
  if (use.collections.length + use.schemas.length > 0)
    return (
      <Dialog
        title={words.deleteTitle(title)}
        size="small"
        onClose={onClose}
        footer={
          <Button onPress={onClose} autoFocus>
            {common.close}
          </Button>
        }
      >
        <p>{words.deleteUsed(usesText(use, words))}</p>
        <p>
          <UsedBy use={use} />
        </p>
      </Dialog>
    );
  return (
    <ConfirmDialog
      title={words.deleteTitle(title)}
      text={words.deleteText}
      confirmLabel={words.deleteLabel}
      tone="danger"
      typed={{ label: words.typeId(id), value: id }}
      isPending={deleting.isPending}
      error={deleting.error && errorText(deleting.error, common).text}
      onConfirm={() => deleting.mutate()}
      onCancel={onClose}
    />
  );
}
