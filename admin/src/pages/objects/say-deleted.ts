// Says that an object was deleted; where there is a trash, with Undo. Loaded when something is deleted.

import type { AdminCollection } from "@contract/admin.ts";
import type { QueryClient } from "@tanstack/react-query";
import { undoDeletion } from "#pages/trash/undo-deletion.ts";
import { toast } from "#ui/toast.ts";
import type { common } from "#words/en/common.ts";

interface Deleted {
  collection: AdminCollection;
  id: string;
  title: string;
  /** What the message says. */
  said: string;
}

export function sayDeleted({ collection, id, title, said }: Deleted, words: typeof common, client: QueryClient): void {
  const undo = () => void undoDeletion({ collection: collection.id, id, title }, words, client);
  const action = { label: words.undoDeletion, onPress: undo };
  toast.good(said, collection.history === "full" ? { action } : {});
}
