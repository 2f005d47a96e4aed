import { isJsonObject } from "@contract/json.ts";
import type { CellProps } from "./cell.ts";
import css from "./cells.module.css";

export function FileCell({ value }: CellProps) {
  if (!isJsonObject(value) || typeof value.name !== "string") return null;
  return <span className={css.text}>{value.name}</span>;
}
