import { isJsonObject } from "@contract/json.ts";
import type { CellProps } from "./cell.ts";

export function FileCell({ value }: CellProps) {
  if (!isJsonObject(value) || typeof value.name !== "string") return null;
  return value.name;
}
