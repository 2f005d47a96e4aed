// Guards of extensions: each sees what was sent and may judge it to be spam. One that fails is passed over, unless it says that
// nothing may pass it then.

import { CairnError } from "#base/errors.ts";
import type { App } from "#context.ts";
import type { JsonObject } from "#contract/json.ts";

export interface JudgedSending {
  /** `{collection}/{name}`. */
  form: string;
  values: JsonObject;
  address: string;
}

const timeoutMs = 2_000;

export async function hasGuards({ extensions }: App): Promise<boolean> {
  return (await extensions.of("formGuards")).length > 0;
}

/** True: it is spam. */
export async function isGuarded({ extensions, log }: App, { form, values, address }: JudgedSending): Promise<boolean> {
  const guards = extensions.of("formGuards");
  for (const { extension, entry } of guards instanceof Promise ? await guards : guards) {
    const sent = { form, collection: form.split("/")[0] ?? "", object: null, values, address };
    try {
      const verdict = await extensions.call({
        extension,
        kind: "formGuards",
        name: entry.name,
        args: [sent],
        timeoutMs,
      });
      const { spam } = (verdict ?? {}) as { spam?: unknown };
      if (typeof spam !== "boolean") throw new Error("The guard did not say whether it is spam.");
      if (spam) return true;
    } catch (error) {
      log.warn({ err: error, form, extension }, "a guard of forms failed");
      if (entry.onFailure === "closed")
        throw new CairnError("unavailable", "What you sent cannot be checked right now. Try again later.");
    }
  }
  return false;
}
