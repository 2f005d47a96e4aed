// A change that gives power takes a password or a passkey of the last minutes: the request waits until the person has confirmed,
// or has said no.

import { ApiError } from "#api/api-error.ts";
import { onPowerChange } from "#api/client.ts";
import { sharedValue } from "./shared-value.ts";

export interface PowerQuestionState {
  /** Confirmed: what waits is sent again. */
  answer(): void;
  /** What waits is refused, with this sentence. */
  refuse(message: string): void;
}

/** Undefined while nothing waits. */
export const powerQuestion = sharedValue<PowerQuestionState | undefined>(undefined);

function askToConfirm(): Promise<void> {
  return new Promise((resolve, reject) => {
    const settle = () => powerQuestion.set(undefined);
    powerQuestion.set({
      answer() {
        settle();
        resolve();
      },
      refuse(message) {
        settle();
        reject(new ApiError({ status: 403, message }));
      },
    });
  });
}

/** From now on such a refusal is a question over the page; returns what ends that. */
export function watchPowerChanges(): () => void {
  onPowerChange(askToConfirm);
  return () => onPowerChange(undefined);
}
