// The first piece of something that comes in pieces, waited for before anything is said about it.

/** Resolves when the first piece is there, or there is none; fails when it fails. */
export async function startAhead<T>(pieces: AsyncIterable<T>): Promise<AsyncIterable<T>> {
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
