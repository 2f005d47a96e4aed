// The question before a group is deleted: how many users lose what it grants.

import { useMutation, useQueryClient } from "@tanstack/react-query";
import { errorText } from "#shell/LoadState.tsx";
import { ConfirmDialog } from "#ui/ConfirmDialog.tsx";
import { toast } from "#ui/toast.ts";
import { accessGroupsWords } from "#words/access-groups.ts";
import { commonWords } from "#words/common.ts";
import { useWords } from "#words/language.ts";
import { deleteGroup } from "./groups.ts";

interface Props {
  id: string;
  members: number;
  onCancel: () => void;
  onDeleted: () => void;
}

export function DeleteGroup({ id, members, onCancel, onDeleted }: Props) {
  const words = useWords(accessGroupsWords);
  const common = useWords(commonWords);
  const client = useQueryClient();
  const deleting = useMutation({
    mutationFn: () => deleteGroup(id),
    onSuccess: () => {
      onDeleted();
      void client.invalidateQueries({ queryKey: ["groups"], exact: true });
      toast.good(words.deleted(id));
    },
  });
  return (
    <ConfirmDialog
      title={words.deleteTitle(id)}
      text={words.deleteText(members)}
      confirmLabel={words.delete}
      tone="danger"
      isPending={deleting.isPending}
      error={deleting.error && errorText(deleting.error, common).text}
      onConfirm={() => deleting.mutate()}
      onCancel={onCancel}
    />
  );
}
