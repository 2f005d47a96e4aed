// Extensions whose code ended the thread rest before they are called again, longer each time: a new thread takes a core for a
// while, and every other extension waits for it meanwhile. Other code of the extension begins without a rest.

import { CairnError } from "#base/errors.ts";

const windowMs = 300_000;
const maxRestMs = 30_000;

export interface Rests {
  /** `mark`: of its code. */
  ended(extension: { id: string; mark: string }, now: number): void;
  /** Why it is not called now; undefined: it is. */
  find(extension: { id: string; mark: string }, now: number): CairnError | undefined;
}

export function createRests(): Rests {
  const ends = new Map<string, { mark: string; at: number[] }>();

  const endsOf = ({ id, mark }: { id: string; mark: string }, now: number) => {
    const known = ends.get(id);
    return known?.mark === mark ? known.at.filter((at) => at > now - windowMs) : [];
  };

  return {
    ended(extension, now) {
      ends.set(extension.id, { mark: extension.mark, at: [...endsOf(extension, now), now] });
    },
    find(extension, now) {
      if (!ends.has(extension.id)) return undefined;
      const all = endsOf(extension, now);
      const until = (all.at(-1) ?? 0) + restMs(all.length);
      if (all.length === 0 || until <= now) return undefined;
      const seconds = Math.ceil((until - now) / 1_000);
      const why = `ended the thread of extensions ${all.length} times in 5 minutes`;
      const error = new CairnError("unavailable", `The extension ${extension.id} ${why}. Try again in ${seconds} s.`);
      error.retryAfter = seconds;
      return error;
    },
  };
}

/** None after the first time. */
function restMs(times: number): number {
  return times < 2 ? 0 : Math.min(maxRestMs, 1_000 * 2 ** (times - 2));
}
