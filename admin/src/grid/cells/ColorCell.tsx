import { isJsonObject } from "@contract/json.ts";
import { textOf } from "#grid/text-of.ts";
import type { CellProps } from "./cell.ts";
import css from "./cells.module.css";

export function ColorCell({ value }: CellProps) {
  const text = isJsonObject(value) ? textOf(value.hex ?? Object.values(value)[0]) : textOf(value);
  if (text === "") return null;
  return (
    <span className={css.line}>
      <span className={css.swatch} style={{ backgroundColor: text }} />
      <span className={css.mono}>{text}</span>
    </span>
  );
}
