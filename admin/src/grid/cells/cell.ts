// What a cell is given.

import type { Json } from "@contract/json.ts";
import type { Column, Row } from "#grid/columns.ts";

export interface CellProps {
  /** Absent where the object has none. */
  value: Json | undefined;
  column: Column;
  row: Row;
}
