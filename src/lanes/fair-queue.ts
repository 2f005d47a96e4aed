// A queue in which callers take turns: a caller with many queries waits for its own, others do not.

export interface FairQueue<T> {
  push(name: string, item: T): void;
  /** The oldest item of the caller whose turn it is, of those that may run. */
  take(mayTake?: (name: string) => boolean): T | undefined;
  remove(name: string, item: T): void;
  lengthOf(name: string): number;
  readonly length: number;
}

export function createFairQueue<T>(): FairQueue<T> {
  /** In the order of turns. */
  const waiting = new Map<string, T[]>();
  let length = 0;
  let last: string | undefined;

  /** The caller of the last turn has the next one only if no other caller waits. */
  function nextName(mayTake: (name: string) => boolean): string | undefined {
    for (const name of waiting.keys()) if (name !== last && mayTake(name)) return name;
    return last !== undefined && waiting.has(last) && mayTake(last) ? last : undefined;
  }

  return {
    push(name, item) {
      const own = waiting.get(name);
      if (own) own.push(item);
      else waiting.set(name, [item]);
      length += 1;
    },
    take(mayTake = () => true) {
      const name = nextName(mayTake);
      const own = name === undefined ? undefined : waiting.get(name);
      if (name === undefined || !own) return undefined;
      last = name;
      waiting.delete(name);
      const item = own.shift();
      if (own.length > 0) waiting.set(name, own);
      length -= 1;
      return item;
    },
    remove(name, item) {
      const own = waiting.get(name) ?? [];
      const at = own.indexOf(item);
      if (at < 0) return;
      own.splice(at, 1);
      if (own.length === 0) waiting.delete(name);
      length -= 1;
    },
    lengthOf: (name) => waiting.get(name)?.length ?? 0,
    get length() {
      return length;
    },
  };
}

/** Two queues that take turns: of callers with a credential and of the public, so that neither takes the other's places. */
export interface PairedQueue<T> {
  of(caller: { hasCredential: boolean }): FairQueue<T>;
  take(mayTake?: (name: string) => boolean): T | undefined;
  readonly length: number;
}

export function createPairedQueue<T>(): PairedQueue<T> {
  const [known, open] = [createFairQueue<T>(), createFairQueue<T>()];
  let wasKnown = false;
  return {
    of: ({ hasCredential }) => (hasCredential ? known : open),
    take(mayTake) {
      for (const queue of wasKnown ? [open, known] : [known, open]) {
        const item = queue.take(mayTake);
        if (item === undefined) continue;
        wasKnown = queue === known;
        return item;
      }
      return undefined;
    },
    get length() {
      return known.length + open.length;
    },
  };
}
