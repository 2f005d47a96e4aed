import { isJsonObject } from "@contract/json.ts";
import { Star } from "lucide-react";
import { Icon } from "#ui/Icon.tsx";
import { formatNumber } from "#words/format.ts";
import type { CellProps } from "./cell.ts";
import css from "./cells.module.css";

export function RatingCell({ value }: CellProps) {
  if (!isJsonObject(value) || typeof value.rating !== "number") return null;
  return (
    <span className={css.line}>
      <Icon of={Star} />
      {formatNumber(Math.round(value.rating * 10) / 10)}
      {typeof value.total === "number" && <span className={css.quiet}>({formatNumber(value.total)})</span>}
    </span>
  );
}
