// One attempt to sign in after the other: what went wrong in words, and how long to wait after too many.

import { useEffect, useState } from "react";
import { ApiError } from "#api/api-error.ts";
import { commonWords } from "#words/common.ts";
import { useWords } from "#words/language.ts";
import { signInWords } from "#words/sign-in.ts";

export interface SignInAttempt {
  /** Empty when nothing is wrong. */
  problem: string;
  isPending: boolean;
  /** Seconds until the next attempt; 0: now. */
  wait: number;
  run(attempt: () => Promise<unknown>): void;
}

export function useSignIn(onSuccess: () => void): SignInAttempt {
  const words = { ...useWords(commonWords), ...useWords(signInWords) };
  const [problem, setProblem] = useState("");
  const [isPending, setIsPending] = useState(false);
  const [wait, setWait] = useState(0);
  useEffect(() => {
    if (wait <= 0) return undefined;
    const timer = setTimeout(() => setWait(wait - 1), 1_000);
    return () => clearTimeout(timer);
  }, [wait]);

  const explain = (error: unknown): string => {
    if (!(error instanceof ApiError)) return words.passkeyFailed;
    if (error.isUnreachable) return words.unreachable;
    if (error.status === 429) return words.tooMany;
    return error.status === 401 || error.status === 400 ? words.failed : error.message;
  };

  const run = (attempt: () => Promise<unknown>) => {
    if (isPending || wait > 0) return;
    setIsPending(true);
    setProblem("");
    attempt()
      .then(onSuccess)
      .catch((error: unknown) => {
        if (error instanceof ApiError && error.status === 429) setWait(error.retryAfter ?? 1);
        setProblem(explain(error));
      })
      .finally(() => setIsPending(false));
  };
  return { problem, isPending, wait, run };
}
