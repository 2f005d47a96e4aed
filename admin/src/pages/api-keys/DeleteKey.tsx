// The question before a key is deleted.

import type { ApiKey } from "@contract/keys.ts";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { errorText } from "#shell/LoadState.tsx";
import { ConfirmDialog } from "#ui/ConfirmDialog.tsx";
import { toast } from "#ui/toast.ts";
import { apiKeysWords } from "#words/api-keys.ts";
import { commonWords } from "#words/common.ts";
import { useWords } from "#words/language.ts";
import { deleteKey, keysQuery } from "./keys.ts";

export function DeleteKey({ apiKey: { id, name }, onClose }: { apiKey: ApiKey; onClose: () => void }) {
  const words = useWords(apiKeysWords);
  const common = useWords(commonWords);
  const client = useQueryClient();
  const deleting = useMutation({
    mutationFn: () => deleteKey(id),
    onSuccess: async () => {
      await client.invalidateQueries({ queryKey: keysQuery.queryKey });
      void client.invalidateQueries({ queryKey: ["start"] });
      onClose();
      toast.good(words.deleted(name));
    },
  });
  return (
    <ConfirmDialog
      title={words.deleteTitle(name)}
      text={words.deleteText}
      confirmLabel={words.delete}
      tone="danger"
      isPending={deleting.isPending}
      error={deleting.error && errorText(deleting.error, common).text}
      onConfirm={() => deleting.mutate()}
      onCancel={onClose}
    />
  );
}
