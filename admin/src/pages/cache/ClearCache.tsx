// The question before all caches are cleared, or the derived images of one collection.

import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { ask } from "#api/client.ts";
import { routes } from "#api/routes.ts";
import { useStart } from "#session/start.ts";
import { errorText } from "#shell/LoadState.tsx";
import { ConfirmDialog } from "#ui/ConfirmDialog.tsx";
import { Select } from "#ui/Select.tsx";
import { toast } from "#ui/toast.ts";
import { cacheWords } from "#words/cache.ts";
import { commonWords } from "#words/common.ts";
import { useWords } from "#words/language.ts";

/** No id of a collection begins with a hyphen. */
const everything = "-all";

export function ClearCache({ onClose }: { onClose: () => void }) {
  const words = useWords(cacheWords);
  const common = useWords(commonWords);
  const client = useQueryClient();
  const { collections } = useStart();
  const [what, setWhat] = useState(everything);
  const clearing = useMutation({
    mutationFn: () => clearCache(what),
    onSuccess: async (deleted) => {
      await client.invalidateQueries({ queryKey: ["cache"] });
      onClose();
      toast.good(words.cleared(deleted));
    },
  });
  const chosen = collections.find(({ id }) => id === what);
  return (
    <ConfirmDialog
      title={words.clearTitle}
      text={`${chosen ? words.clearOne(chosen.name) : words.clearAll} ${words.consequence}`}
      confirmLabel={words.confirm}
      tone="danger"
      isPending={clearing.isPending}
      error={clearing.error && errorText(clearing.error, common).text}
      onConfirm={() => clearing.mutate()}
      onCancel={onClose}
    >
      <Select
        label={words.what}
        value={what}
        onChange={setWhat}
        options={[
          { value: everything, label: words.all },
          ...collections.map(({ id, name }) => ({ value: id, label: words.imagesOf(name) })),
        ]}
      />
    </ConfirmDialog>
  );
}

/** The number of images. */
async function clearCache(what: string): Promise<number> {
  const { data } =
    what === everything
      ? await ask<{ deleted: number }>(routes.clearCache)
      : await ask<{ deleted: number }>(routes.clearCacheOf, { path: { collection: what } });
  return data.deleted;
}
