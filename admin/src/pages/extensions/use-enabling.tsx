// Switches an extension on and off: the review where it was not approved, the question where others need it.

import type { ExtensionRecord } from "@contract/extensions.ts";
import { useQueryClient } from "@tanstack/react-query";
import { lazy, type ReactNode, Suspense, useState } from "react";
import { errorText } from "#shell/LoadState.tsx";
import { ConfirmDialog } from "#ui/ConfirmDialog.tsx";
import { toast } from "#ui/toast.ts";
import { commonWords } from "#words/common.ts";
import { extensionsWords } from "#words/extensions.ts";
import { useWords } from "#words/language.ts";
import { disable, enable, isNeeded, needsReview, refreshExtensions } from "./extension-calls.ts";

const ReviewDialog = lazy(() => import("./ReviewDialog.tsx").then((part) => ({ default: part.ReviewDialog })));

type Known = Pick<ExtensionRecord, "id" | "name">;

interface Enabling {
  /** Shown until the server has answered. */
  isOn: (extension: ExtensionRecord) => boolean;
  set: (extension: ExtensionRecord, isOn: boolean) => Promise<void>;
  review: (extension: Known) => void;
  dialogs: ReactNode;
}

export function useEnabling(): Enabling {
  const words = useWords(extensionsWords);
  const common = useWords(commonWords);
  const queries = useQueryClient();
  const [switched, setSwitched] = useState<Readonly<Record<string, boolean>>>({});
  const [reviewing, setReviewing] = useState<Known>();
  const [needed, setNeeded] = useState<Known & { why: string }>();
  const [isPending, setIsPending] = useState(false);

  const set = async (extension: ExtensionRecord, isOn: boolean) => {
    const { id, name } = extension;
    setSwitched((before) => ({ ...before, [id]: isOn }));
    try {
      await (isOn ? enable(id) : disable(id));
      toast.good(isOn ? words.isOn : words.isOff);
    } catch (error) {
      if (isOn && needsReview(error)) setReviewing({ id, name });
      else if (!isOn && isNeeded(error)) setNeeded({ id, name, why: error.message });
      else toast.bad(errorText(error, common).text);
    }
    await refreshExtensions(queries);
    setSwitched(({ [id]: _, ...others }) => others);
  };
  const disableAll = async ({ id }: Known) => {
    setIsPending(true);
    try {
      await disable(id, true);
      toast.good(words.isOff);
      setNeeded(undefined);
    } catch (error) {
      toast.bad(errorText(error, common).text);
    }
    setIsPending(false);
    await refreshExtensions(queries);
  };
  return {
    isOn: ({ id, enabled }) => switched[id] ?? enabled,
    set,
    review: setReviewing,
    dialogs: (
      <>
        {reviewing && (
          <Suspense fallback={null}>
            <ReviewDialog {...reviewing} onClose={() => setReviewing(undefined)} />
          </Suspense>
        )}
        {needed && (
          <ConfirmDialog
            title={words.disableOthers(needed.name)}
            text={needed.why}
            confirmLabel={words.disableAll}
            tone="danger"
            isPending={isPending}
            onConfirm={() => void disableAll(needed)}
            onCancel={() => setNeeded(undefined)}
          />
        )}
      </>
    ),
  };
}
