// Waits for the first piece of a stream before the answer begins.

/** Resolves when the first piece has arrived, or there is none; fails when it fails. */
export async function waitForFirst<T>(pieces: AsyncIterable<T>): Promise<AsyncIterable<T>> {
  const rest = pieces[Symbol.asyncIterator]();
  const first = await rest.next();
  return withFirst(first, rest);
}

async function* withFirst<T>(first: IteratorResult<T>, rest: AsyncIterator<T>): AsyncIterable<T> {
  try {
    for (let piece = first; !piece.done; piece = await rest.next()) yield piece.value;
  } finally {
    await rest.return?.();
  }
}
