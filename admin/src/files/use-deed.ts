// A call of the server that a dialog makes: whether it is under way, and what went wrong, in words.

import { useState } from "react";
import { ApiError } from "#api/api-error.ts";
import { errorText } from "#shell/LoadState.tsx";
import { commonWords } from "#words/common.ts";
import { useWords } from "#words/language.ts";

export function useDeed() {
  const words = useWords(commonWords);
  const [isPending, setIsPending] = useState(false);
  const [error, setError] = useState("");
  /** One at a time. */
  const run = async (deed: () => Promise<void>): Promise<void> => {
    if (isPending) return;
    setIsPending(true);
    setError("");
    try {
      await deed();
    } catch (failure) {
      setError(deedText(failure, words));
    } finally {
      setIsPending(false);
    }
  };
  return { isPending, error, setError, run };
}

/** What the server says of a field is more than what it says of the whole. */
export function deedText(failure: unknown, words: { unreachable: string; unexpected: string }): string {
  const { text } = errorText(failure, words);
  if (!(failure instanceof ApiError)) return text;
  const [detail] = Object.values(failure.details).flat();
  return detail === undefined || text.includes(detail) ? text : `${text} (${detail})`;
}
