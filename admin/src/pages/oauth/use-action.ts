// One question about one thing: what it is about, whether the answer is on its way, and why it was refused.

import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { errorText } from "#shell/LoadState.tsx";
import { toast } from "#ui/toast.ts";
import { commonWords } from "#words/common.ts";
import { useWords } from "#words/language.ts";

interface Action {
  isPending: boolean;
  problem: string | undefined;
  /** Does it, says so, and asks for the records again; a refusal stays in the dialog. */
  run: (work: () => Promise<string>) => Promise<void>;
}

export function useAction(onDone: () => void): Action {
  const common = useWords(commonWords);
  const client = useQueryClient();
  const [isPending, setIsPending] = useState(false);
  const [problem, setProblem] = useState<string>();
  const run = async (work: () => Promise<string>) => {
    setIsPending(true);
    setProblem(undefined);
    try {
      const said = await work();
      onDone();
      toast.good(said);
      await client.invalidateQueries({ queryKey: ["oauth"] });
    } catch (error) {
      setProblem(errorText(error, common).text);
    }
    setIsPending(false);
  };
  return { isPending, problem, run };
}
