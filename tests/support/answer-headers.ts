// The headers of an answer, to be read like those of `fetch`. Loading the latter takes each process of a test longer than
// everything else in the harness.

export interface AnswerHeaders extends Iterable<[name: string, value: string]> {
  /** Several values are joined by a comma. */
  get(name: string): string | null;
  has(name: string): boolean;
  keys(): string[];
  getSetCookie(): string[];
}

/** `distinct`: each name in small letters, with all of its values. */
export function answerHeaders(distinct: NodeJS.Dict<string[]>): AnswerHeaders {
  const get = (name: string) => distinct[name.toLowerCase()]?.join(", ") ?? null;
  const keys = () => Object.keys(distinct).sort();
  return {
    get,
    has: (name) => get(name) !== null,
    keys,
    getSetCookie: () => distinct["set-cookie"] ?? [],
    *[Symbol.iterator]() {
      for (const name of keys())
        for (const value of name === "set-cookie" ? this.getSetCookie() : [get(name) as string]) yield [name, value];
    },
  };
}
