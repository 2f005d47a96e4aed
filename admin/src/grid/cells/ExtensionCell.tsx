// A value of an extension's kind: its cell where it has one that needs no frame, else as text.

import { useState } from "react";
import { ElementHost } from "#elements/ElementHost.tsx";
import { useExtensionField, usePart } from "#elements/kinds.ts";
import { textOf } from "#grid/text-of.ts";
import type { CellProps } from "./cell.ts";

export function ExtensionCell({ value, column, row }: CellProps) {
  const part = usePart(useExtensionField(column.field), "cell");
  const [failed, setFailed] = useState("");
  if (value === undefined || value === null) return null;
  if (!part || part.frame || failed === part.address) return textOf(value);
  return <ElementHost part={part} properties={{ value, row }} isInline onFailed={() => setFailed(part.address)} />;
}
