// A collection as operations get it. A type alone.

import type { CollectionConfig } from "#contract/collections.ts";
import type { FlatSchema } from "#schemas/types.ts";

export interface Collection {
  id: string;
  settings: CollectionConfig;
  schema: FlatSchema;
  /** A reserved collection that has no row yet: it reads as empty. */
  isVirtual: boolean;
}
