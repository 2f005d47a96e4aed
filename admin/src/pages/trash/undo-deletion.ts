// The Undo of the message that something was deleted: it comes back from the trash.

import type { QueryClient } from "@tanstack/react-query";
import { errorText } from "#shell/LoadState.tsx";
import { toast } from "#ui/toast.ts";
import type { common } from "#words/en/common.ts";
import { findDeleted, restoreDeleted } from "./trash-calls.ts";

interface Deleted {
  collection: string;
  id: string;
  title: string;
}

export async function undoDeletion({ collection, id, title }: Deleted, words: typeof common, client: QueryClient) {
  try {
    const entry = await findDeleted(collection, id);
    if (!entry) return void toast.bad(words.notInTrash);
    await restoreDeleted(entry.change);
    toast.good(words.isBack(title));
    await forgetLists(client, collection);
  } catch (error) {
    toast.bad(errorText(error, words).text);
  }
}

/** Tables and counts are asked for again. */
export async function forgetLists(client: QueryClient, collection: string): Promise<void> {
  const keys = [["objects", collection], ["start"], ["recent"], ["trash"]];
  await Promise.all(keys.map((queryKey) => client.invalidateQueries({ queryKey })));
}
