// Says that an object was deleted; where there is a trash, with Undo.

import type { AdminCollection } from "@contract/admin.ts";
import { useQueryClient } from "@tanstack/react-query";
import { toast } from "#ui/toast.ts";
import { commonWords } from "#words/common.ts";
import { formWords } from "#words/form.ts";
import { useWords } from "#words/language.ts";

export function useSayDeleted({ id: collection, history }: AdminCollection): (id: string, title: string) => void {
  const words = useWords(formWords);
  const common = useWords(commonWords);
  const client = useQueryClient();
  return (id, title) => {
    const undo = async () => {
      const { undoDeletion } = await import("#pages/trash/undo-deletion.ts");
      await undoDeletion({ collection, id, title }, common, client);
    };
    const action = { label: common.undoDeletion, onPress: () => void undo() };
    toast.good(words.deleted, history === "full" ? { action } : {});
  };
}
