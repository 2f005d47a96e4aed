// What elements tell the form that they are in: values that they refuse, and work that Save waits for,
// such as an upload. It waits a minute at most: an element cannot hold a form for ever.

const maxWaitMs = 60_000;

const running = new Set<Promise<unknown>>();

export function noteBusy(work: Promise<unknown>): void {
  const noted = work.catch(() => undefined).finally(() => running.delete(noted));
  running.add(noted);
}

export async function whenIdle(): Promise<void> {
  if (running.size === 0) return;
  const late = Promise.withResolvers<void>();
  const timer = setTimeout(late.resolve, maxWaitMs);
  await Promise.race([Promise.all(running), late.promise]);
  clearTimeout(timer);
}

const refused = new Map<string, Map<string, string>>();

/** `form`: its name; an empty message ends it. */
export function noteInvalid(form: string, path: string, message: string): void {
  const own = refused.get(form) ?? new Map<string, string>();
  if (message === "") own.delete(path);
  else own.set(path, message);
  if (own.size > 0) refused.set(form, own);
  else refused.delete(form);
}

/** Messages by path. */
export function refusedIn(form: string): ReadonlyMap<string, string> {
  return refused.get(form) ?? new Map();
}
