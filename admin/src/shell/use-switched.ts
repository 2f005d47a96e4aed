// Switches in a list: the new state is shown at once, and the stored one again when the server refuses.

import { useState } from "react";
import { toast } from "#ui/toast.ts";
import { commonWords } from "#words/common.ts";
import { useWords } from "#words/language.ts";
import { errorText } from "./LoadState.tsx";

interface Switched {
  isOn: (id: string, stored: boolean) => boolean;
  set: (id: string, isOn: boolean) => Promise<void>;
}

interface Switching {
  save: (id: string, isOn: boolean) => Promise<unknown>;
  /** What is said of it then. */
  said: (isOn: boolean) => string;
  /** Asks for the list again. */
  refresh: () => Promise<unknown>;
}

export function useSwitched({ save, said, refresh }: Switching): Switched {
  const common = useWords(commonWords);
  // Until the list is asked for again.
  const [switched, setSwitched] = useState<Readonly<Record<string, boolean>>>({});
  const set = async (id: string, isOn: boolean) => {
    setSwitched((before) => ({ ...before, [id]: isOn }));
    try {
      await save(id, isOn);
      toast.good(said(isOn));
    } catch (error) {
      toast.bad(errorText(error, common).text);
    }
    await refresh();
    setSwitched(({ [id]: _, ...others }) => others);
  };
  return { isOn: (id, stored) => switched[id] ?? stored, set };
}
