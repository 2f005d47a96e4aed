// The same work for many items, with limited concurrency, or so many at a time.

/** Ends when all have ended; then fails with the first error: later ones may be its consequence. */
export async function inParallel<T>(
  items: Iterable<T>,
  atOnce: number,
  work: (item: T) => Promise<void>,
): Promise<void> {
  const waiting = items[Symbol.iterator]();
  let failed: { error: unknown } | undefined;
  const run = async (): Promise<void> => {
    for (let next = waiting.next(); !next.done && !failed; next = waiting.next()) {
      await work(next.value).catch((error: unknown) => {
        failed ??= { error };
      });
    }
  };
  await Promise.all(Array.from({ length: atOnce }, run));
  if (failed) throw failed.error;
}

/** In their order, so many in each. */
export function slices<T>(items: readonly T[], size: number): T[][] {
  return Array.from({ length: Math.ceil(items.length / size) }, (_, n) => items.slice(n * size, (n + 1) * size));
}
