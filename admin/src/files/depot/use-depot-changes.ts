// Changes of a depot: shown at once, sent one after the other, and taken back with a message when the server refuses.

import { type DepotChange, maxDepotPaths } from "@contract/admin.ts";
import type { Json } from "@contract/json.ts";
import { useRef, useState } from "react";
import { changeDepot, type FilePlace, type StoredObject } from "#files/file-calls.ts";
import { deedText } from "#files/use-deed.ts";
import { toast } from "#ui/toast.ts";
import { commonWords } from "#words/common.ts";
import { useWords } from "#words/language.ts";
import { applyChange } from "./tree.ts";

export function useDepotChanges(value: Json | undefined, onStored: (stored: StoredObject) => void) {
  const words = useWords(commonWords);
  const [pending, setPending] = useState<readonly DepotChange[]>([]);
  const last = useRef<Promise<unknown>>(Promise.resolve());

  /** Whether it was stored. */
  const run = (place: FilePlace, change: DepotChange): Promise<boolean> => {
    setPending((before) => [...before, change]);
    const done = last.current
      .then(async () => {
        for (const part of partsOf(change)) onStored(await changeDepot(place, part));
        return true;
      })
      .catch((error: unknown) => {
        toast.bad(deedText(error, words));
        return false;
      })
      .finally(() => setPending((before) => before.filter((one) => one !== change)));
    last.current = done;
    return done;
  };
  const shown = pending.reduce<Json | undefined>(applyChange, value);
  return { shown, run, isBusy: pending.length > 0 };
}

/** No more than the server takes at once. */
function partsOf(change: DepotChange): DepotChange[] {
  const parts: DepotChange[] = [];
  for (let at = 0; at < change.paths.length; at += maxDepotPaths)
    parts.push({ ...change, paths: change.paths.slice(at, at + maxDepotPaths) });
  return parts;
}
