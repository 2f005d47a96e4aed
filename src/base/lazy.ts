// Loads packages that few requests need on first use, so that a start stays quick and a process small.

import { createRequire } from "node:module";

const require = createRequire(import.meta.url);

/** The returned function gives the package. */
export function lazily<T>(name: string): () => T {
  let loaded: T | undefined;
  return () => {
    loaded ??= require(name) as T;
    return loaded;
  };
}
