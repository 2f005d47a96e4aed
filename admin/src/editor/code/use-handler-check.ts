// Checks the text of a handler a moment after it was typed. It is not run.

import { useEffect, useRef } from "react";
import { askData } from "#api/client.ts";
import { routes } from "#api/routes.ts";

/** Not with every key that is pressed. */
const calm = 500;

/** `onProblem` gets what is wrong with the text, or undefined. Only what is typed is checked: the rest was when it was saved. */
export function useHandlerCheck(
  text: string,
  { isOn, onProblem }: { isOn: boolean; onProblem: (problem: string | undefined) => void },
): void {
  const report = useRef(onProblem);
  report.current = onProblem;
  useEffect(() => {
    if (!isOn || text.trim() === "") return;
    const stop = new AbortController();
    const check = async () => {
      try {
        const { signal } = stop;
        const answer = await askData<{ problem: string | null }>(routes.checkHandler, {
          body: { source: text },
          signal,
        });
        if (!signal.aborted) report.current(answer.problem ?? undefined);
      } catch {
        // Saving says what keeps it from being stored; a check that failed says nothing.
      }
    };
    const timer = setTimeout(() => void check(), calm);
    return () => {
      clearTimeout(timer);
      stop.abort();
    };
  }, [text, isOn]);
}
