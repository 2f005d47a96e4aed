// A value of an extension's kind: its cell where it has one that needs no frame, else as text.

import { lazy, Suspense, useState } from "react";
import { useExtensionField, usePart } from "#elements/kinds.ts";
import { textOf } from "#grid/text-of.ts";
import type { CellProps } from "./cell.ts";

/** Most tables have no such column. */
const ElementHost = lazy(() => import("#elements/ElementHost.tsx").then((part) => ({ default: part.ElementHost })));

export function ExtensionCell({ value, column, row }: CellProps) {
  const part = usePart(useExtensionField(column.field), "cell");
  const [failed, setFailed] = useState("");
  if (value === undefined || value === null) return null;
  if (!part || part.frame || failed === part.address) return textOf(value);
  return (
    <Suspense>
      <ElementHost part={part} properties={{ value, row }} isInline onFailed={() => setFailed(part.address)} />
    </Suspense>
  );
}
