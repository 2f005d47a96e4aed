// What needs a recent password: what the server refuses without it is asked again after it.

import { useState } from "react";
import { ApiError } from "#api/api-error.ts";
import { ask } from "#api/client.ts";
import { routes } from "#api/routes.ts";
import type { Proof } from "#session/account.ts";

export function needsPassword(error: unknown): boolean {
  return error instanceof ApiError && error.status === 403 && error.details.password !== undefined;
}

/** Does something, after the password where the server asks for it. */
export function useBehindPassword() {
  const [waiting, setWaiting] = useState<{ run: () => Promise<void> }>();
  const [error, setError] = useState<unknown>();
  const attempt = async (run: () => Promise<void>) => {
    setError(undefined);
    try {
      await run();
    } catch (problem) {
      if (needsPassword(problem)) setWaiting({ run });
      else setError(problem);
    }
  };
  return {
    attempt: (run: () => Promise<void>) => void attempt(run),
    error,
    isAsking: waiting !== undefined,
    cancel: () => setWaiting(undefined),
    /** A passkey is confirmed by now; a password is not yet. */
    async confirm(proof: Proof) {
      if (proof !== undefined) await ask(routes.confirmPassword, { body: { password: proof } });
      setWaiting(undefined);
      if (waiting) await attempt(waiting.run);
    },
  };
}
