// Says that an object was deleted; where there is a trash, with Undo.

import type { AdminCollection } from "@contract/admin.ts";
import { useQueryClient } from "@tanstack/react-query";
import { toast } from "#ui/toast.ts";
import { commonWords } from "#words/common.ts";
import { useWords } from "#words/language.ts";

interface Deleted {
  id: string;
  title: string;
  /** What the message says. */
  said: string;
}

export function useSayDeleted({ id: collection, history }: AdminCollection): (deleted: Deleted) => void {
  const common = useWords(commonWords);
  const client = useQueryClient();
  return ({ id, title, said }) => {
    const undo = async () => {
      const { undoDeletion } = await import("#pages/trash/undo-deletion.ts");
      await undoDeletion({ collection, id, title }, common, client);
    };
    const action = { label: common.undoDeletion, onPress: () => void undo() };
    toast.good(said, history === "full" ? { action } : {});
  };
}
