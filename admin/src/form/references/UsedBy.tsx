// Beside the form of an object: what points to it. Asked for when it is wanted.

import { useState } from "react";
import { Button } from "#ui/Button.tsx";
import { useWords } from "#words/language.ts";
import { referencesWords } from "#words/references.ts";
import { PointingList } from "./PointsHere.tsx";
import { useReferences } from "./use-references.ts";

export function UsedBy({ collection, id }: { collection: string; id: string }) {
  const words = useWords(referencesWords);
  const [isAsked, setIsAsked] = useState(false);
  const { data: found, isFetching } = useReferences(collection, id, isAsked);
  if (!found)
    return (
      <Button isPending={isAsked && isFetching} onPress={() => setIsAsked(true)}>
        {words.show}
      </Button>
    );
  const isEmpty = found.data.length === 0 && !found.meta.indexing;
  return isEmpty ? <p>{words.none}</p> : <PointingList found={found} />;
}
