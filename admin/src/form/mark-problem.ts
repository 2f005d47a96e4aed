// Says what is wrong with one property, or that nothing is, and leaves the other errors as they are.

import type { FormStore } from "./store.ts";

export function markProblem(store: FormStore, path: string, problem: string | undefined): void {
  const others = [...store.summary().errors].filter(([other]) => other !== path);
  store.setErrors(new Map(problem === undefined ? others : [...others, [path, problem]]));
}
