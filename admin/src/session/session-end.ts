// The session has ended while a page is open: requests wait until the person has signed in again, or has said no.

import { ApiError } from "#api/api-error.ts";
import { onSessionEnd } from "#api/client.ts";
import { sharedValue } from "./shared-value.ts";

interface Question {
  /** The same user is signed in again: what waits is sent. */
  answer(): void;
  /** What waits is refused; the next request asks again. */
  refuse(): void;
}

/** Undefined while the session lasts. */
export const sessionQuestion = sharedValue<Question | undefined>(undefined);

function askToSignIn(): Promise<void> {
  return new Promise((resolve, reject) => {
    const settle = (then: () => void) => () => {
      sessionQuestion.set(undefined);
      then();
    };
    const refusal = new ApiError({ status: 401, message: "Your session has ended. Sign in again to go on." });
    sessionQuestion.set({ answer: settle(resolve), refuse: settle(() => reject(refusal)) });
  });
}

/** From now on a 401 is a question over the page; returns what ends that. */
export function watchSessionEnd(): () => void {
  onSessionEnd(askToSignIn);
  return () => onSessionEnd(undefined);
}
