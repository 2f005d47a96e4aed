// Removes an extension. Those of the project and of packages are removed where they lie: the server says where.

import type { ExtensionDetails } from "@contract/extensions.ts";
import { useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { ask } from "#api/client.ts";
import { routes } from "#api/routes.ts";
import { errorText } from "#shell/LoadState.tsx";
import { useAttempt } from "#shell/use-attempt.ts";
import { Checkbox } from "#ui/Checkbox.tsx";
import { ConfirmDialog } from "#ui/ConfirmDialog.tsx";
import { toast } from "#ui/toast.ts";
import { commonWords } from "#words/common.ts";
import { extensionsWords } from "#words/extensions.ts";
import { useWords } from "#words/language.ts";
import { extensionQuery, placeOf, refreshExtensions } from "./extension-calls.ts";

interface Props {
  extension: ExtensionDetails;
  onClose: () => void;
}

export function RemoveExtension({ extension, onClose }: Props) {
  const { id, name, uses } = extension;
  const words = useWords(extensionsWords);
  const common = useWords(commonWords);
  const queries = useQueryClient();
  const navigate = useNavigate();
  const [isPurged, setIsPurged] = useState(false);
  const [isPending, setIsPending] = useState(false);
  const { attempt, error } = useAttempt();
  const remove = async () => {
    setIsPending(true);
    try {
      await ask(routes.removeExtension, { path: placeOf(id), query: { purge: isPurged } });
      toast.good(words.removed(name));
      await navigate({ to: "/admin/extensions" });
      queries.removeQueries({ queryKey: extensionQuery(id).queryKey });
      await refreshExtensions(queries);
    } finally {
      setIsPending(false);
    }
  };
  const problem = error === undefined ? undefined : errorText(error, common).text;
  return (
    <ConfirmDialog
      title={words.removeTitle(name)}
      text={words.removeText}
      confirmLabel={words.remove}
      tone="danger"
      isPending={isPending}
      error={problem}
      onConfirm={() => attempt(remove)}
      onCancel={onClose}
    >
      {uses.properties.length > 0 && (
        <p>
          {words.removeUses} {uses.properties.join(", ")}
        </p>
      )}
      <Checkbox label={words.purge} isSelected={isPurged} onChange={setIsPurged} />
    </ConfirmDialog>
  );
}
