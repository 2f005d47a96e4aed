// The question before one cache is cleared.

import { useMutation, useQueryClient } from "@tanstack/react-query";
import { ask } from "#api/client.ts";
import { routes } from "#api/routes.ts";
import { errorText } from "#shell/LoadState.tsx";
import { ConfirmDialog } from "#ui/ConfirmDialog.tsx";
import { toast } from "#ui/toast.ts";
import { cacheWords } from "#words/cache.ts";
import { commonWords } from "#words/common.ts";
import { useWords } from "#words/language.ts";

/** `label`: its name in the language of the reader. */
export function ClearKind({ name, label, onClose }: { name: string; label: string; onClose: () => void }) {
  const words = useWords(cacheWords);
  const common = useWords(commonWords);
  const client = useQueryClient();
  const clearing = useMutation({
    mutationFn: () => clear(name),
    onSuccess: async (deleted) => {
      await client.invalidateQueries({ queryKey: ["cache"] });
      onClose();
      toast.good(words.clearedKind(label, deleted));
    },
  });
  return (
    <ConfirmDialog
      title={words.clearKindTitle(label)}
      text={words.clearKindText}
      confirmLabel={words.confirm}
      tone="danger"
      isPending={clearing.isPending}
      error={clearing.error && errorText(clearing.error, common).text}
      onConfirm={() => clearing.mutate()}
      onCancel={onClose}
    />
  );
}

/** `DELETE /api/cache/images` is for one collection. */
async function clear(name: string): Promise<number> {
  const { data } =
    name === "images"
      ? await ask<{ deleted: number }>(routes.clearImages)
      : await ask<{ deleted: number }>(routes.clearCacheKind, { path: { name } });
  return data.deleted;
}
