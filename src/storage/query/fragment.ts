// A piece of SQL with the values that are bound in it.

import type { Value } from "#storage/port.ts";

export interface Fragment {
  sql: string;
  params: Value[];
}
