// What a mirror knows: shared by mirror.ts, which follows the table, and edits.ts, which looks at the files.

import type { Logger } from "pino";
import type { DefinitionHead } from "#storage/tables/nodes/definitions.ts";
import type { Kind } from "./kinds.ts";
import type { Marks } from "./marks.ts";

export interface MirrorState {
  kinds: Kind[];
  marks: Marks;
  heads: Map<string, DefinitionHead>;
  /** By key: the status of a file that needs no look. */
  stamps: Map<string, string>;
  /** By key: why a file cannot be read. */
  broken: Map<string, string>;
  log: Logger;
}
