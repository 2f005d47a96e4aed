// Collections that the server knows by name: one click makes one.

import { reservedCollections } from "@contract/collections.ts";
import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { askData } from "#api/client.ts";
import { routes } from "#api/routes.ts";
import { errorText } from "#shell/LoadState.tsx";
import { toast } from "#ui/toast.ts";
import { collectionsWords } from "#words/collections.ts";
import { commonWords } from "#words/common.ts";
import type { collections } from "#words/en/collections.ts";
import { useWords } from "#words/language.ts";

export type ReadyMadeId = keyof (typeof collections)["ready"];

/** Makes one, and the id of the one that is being made. */
export function useReadyMade(): { add: (collection: ReadyMadeId) => Promise<void>; adding: string } {
  const words = useWords(collectionsWords);
  const common = useWords(commonWords);
  const client = useQueryClient();
  const [adding, setAdding] = useState("");
  const add = async (collection: ReadyMadeId) => {
    const { name } = words.ready[collection];
    setAdding(collection);
    try {
      const schema = reservedCollections[collection];
      await askData(routes.createCollection, { body: { id: collection, name, schema } });
      await client.invalidateQueries({ queryKey: ["start"] });
      toast.good(words.added(name));
    } catch (error) {
      const { text, requestId } = errorText(error, common);
      toast.bad(text, { requestId });
    } finally {
      setAdding("");
    }
  };
  return { add, adding };
}
