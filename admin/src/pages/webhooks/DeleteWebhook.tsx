// The question before a webhook is deleted.

import type { Webhook } from "@contract/webhooks.ts";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { askData } from "#api/client.ts";
import { routes } from "#api/routes.ts";
import { Problem } from "#shell/LoadState.tsx";
import { ConfirmDialog } from "#ui/ConfirmDialog.tsx";
import { toast } from "#ui/toast.ts";
import { commonWords } from "#words/common.ts";
import { useWords } from "#words/language.ts";
import { webhookWords } from "#words/webhooks.ts";
import { refreshWebhooks, titleOf } from "./webhook-calls.ts";

interface Props {
  hook: Pick<Webhook, "id" | "name" | "url">;
  onCancel: () => void;
  onDeleted: () => void;
}

export function DeleteWebhook({ hook, onCancel, onDeleted }: Props) {
  const words = useWords(webhookWords);
  const common = useWords(commonWords);
  const queries = useQueryClient();
  const remove = useMutation({
    mutationFn: () => askData(routes.deleteWebhook, { path: { id: hook.id } }),
    onSuccess: () => {
      toast.good(words.deleted);
      onDeleted();
      void refreshWebhooks(queries);
    },
  });
  return (
    <ConfirmDialog
      title={words.deleteTitle(titleOf(hook))}
      text={words.deleteText}
      confirmLabel={common.delete}
      tone="danger"
      isPending={remove.isPending}
      error={remove.isError && <Problem error={remove.error} />}
      onConfirm={() => remove.mutate()}
      onCancel={onCancel}
    />
  );
}
