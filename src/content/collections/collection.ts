// A collection as operations get it. A type alone.

import type { CollectionConfig } from "#contract/collections.ts";
import type { FlatSchema } from "#schemas/types.ts";
import type { OwnNumbers } from "#storage/log/own-numbers.ts";

export interface Collection {
  id: string;
  settings: CollectionConfig;
  schema: FlatSchema;
  /** A reserved collection that has no row yet: it reads as empty. */
  isVirtual: boolean;
  /** The objects of the log that are its own, and not those of a former collection of its id. Absent: all. */
  numbers?: OwnNumbers | undefined;
}
