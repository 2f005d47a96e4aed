// A queue in which callers take turns: one that asks much waits for its own questions, not others for them.

export interface FairQueue<T> {
  push(name: string, item: T): void;
  /** The oldest item of the caller whose turn it is, of those that may have one. */
  take(mayTake?: (name: string) => boolean): T | undefined;
  remove(name: string, item: T): void;
  lengthOf(name: string): number;
  readonly length: number;
}

export function createFairQueue<T>(): FairQueue<T> {
  /** In the order of turns. */
  const waiting = new Map<string, T[]>();
  let length = 0;
  return {
    push(name, item) {
      const own = waiting.get(name);
      if (own) own.push(item);
      else waiting.set(name, [item]);
      length += 1;
    },
    take(mayTake = () => true) {
      for (const [name, own] of waiting) {
        if (!mayTake(name)) continue;
        const item = own.shift();
        waiting.delete(name);
        if (own.length > 0) waiting.set(name, own);
        length -= 1;
        return item;
      }
      return undefined;
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
