// Why something was not saved, in words.

import { ApiError } from "#api/api-error.ts";
import type { form } from "#words/en/form.ts";

export function refusalText(error: unknown, words: typeof form, isNew: boolean): { text: string; requestId: string } {
  if (!(error instanceof ApiError)) return { text: words.unexpected, requestId: "" };
  const { status, message, requestId, retryAfter } = error;
  const text = () => {
    if (status === 0) return words.away;
    if (status === 403) return words.refused(message);
    if (status === 404 && !isNew) return words.gone;
    if (status === 413) return words.tooLarge;
    if (status === 429) return words.tooMany(retryAfter);
    return status >= 500 ? words.failed(message) : message;
  };
  return { text: text(), requestId };
}
