// Guards that extensions add: each sees what was sent and may judge it to be spam.

import { perInstance } from "#base/per-instance.ts";
import type { App } from "#context.ts";
import type { JsonObject } from "#contract/json.ts";
import type { Storage } from "#storage/port.ts";

export interface JudgedSending {
  /** `{collection}/{name}`. */
  form: string;
  values: JsonObject;
  address: string;
}

/** True: it is spam. A guard that fails is passed over, with a line in the log. */
export type SendingGuard = (sending: JudgedSending) => boolean | Promise<boolean>;

const guardsOf = perInstance((_storage: Storage): SendingGuard[] => []);

export function addFormGuard({ storage }: Pick<App, "storage">, guard: SendingGuard): void {
  guardsOf(storage).push(guard);
}

export async function isGuarded({ storage, log }: Pick<App, "storage" | "log">, sending: JudgedSending) {
  for (const guard of guardsOf(storage)) {
    try {
      if (await guard(sending)) return true;
    } catch (error) {
      log.warn({ err: error, form: sending.form }, "a guard of forms failed");
    }
  }
  return false;
}
